-- Seals a run, and says whether it is set aside (`dirty` 2).
UPDATE run SET seals = :seals, dirty = coalesce(:dirty, dirty) WHERE id = :id;
