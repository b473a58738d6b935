-- The first attribute of a run with this key.
SELECT text FROM attribute WHERE run_id = :run_id AND key = :key ORDER BY ordinal LIMIT 1;
