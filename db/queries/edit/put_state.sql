-- Gives a run to a series, and says whether it counts. Its seals follow (run/seal.sql).
UPDATE run SET series_id = :series_id, dirty = :dirty WHERE id = :id;
