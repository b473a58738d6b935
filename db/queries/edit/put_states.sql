-- Gives runs to a series, and says whether they count. Their seals follow (run/seal.sql). The runs are found by their
-- rowids: an index may be damaged.
UPDATE run SET (series_id, dirty) = (SELECT series_id, dirty FROM temp.altered WHERE altered.id = run.id)
WHERE id IN (SELECT id FROM temp.altered);
