-- The first attribute of this name that a run has.
SELECT text FROM attribute WHERE run_id = :run_id AND key = :key ORDER BY ordinal LIMIT 1;
