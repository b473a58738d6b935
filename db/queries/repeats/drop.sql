-- Drops the repeats of a run; their distribution stays.
UPDATE spread SET numbers = NULL WHERE run_id = :run_id AND numbers IS NOT NULL;
