-- Whether any repeats of a run are stored one by one.
SELECT EXISTS (SELECT 1 FROM spread WHERE run_id = :run_id AND numbers IS NOT NULL);
