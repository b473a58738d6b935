-- One known number of a run.
INSERT INTO value (run_id, metric_id, value, provenance)
VALUES (:run_id, :metric_id, :value, :provenance);
