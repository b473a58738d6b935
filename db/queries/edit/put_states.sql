-- Gives runs to a series, and says whether they count. Their seals follow (run/seal.sql).
UPDATE run SET series_id = altered.series_id, dirty = altered.dirty FROM temp.altered WHERE altered.id = run.id;
