-- One number of one run.
SELECT value FROM value WHERE run_id = :run_id AND metric_id = :metric_id;
