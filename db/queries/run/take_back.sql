-- Ends setting a run aside.
UPDATE run SET dirty = :dirty WHERE id = :id AND dirty = 2;
