-- One number of a run of a program before schema version 4.
SELECT value FROM value WHERE run_id = :run_id AND metric_id = :metric_id;
