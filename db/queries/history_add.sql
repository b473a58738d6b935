-- A run that may serve as history, with its headline.
INSERT INTO history (series_id, run_id, revision_id, metric_id, value)
VALUES (:series_id, :run_id, :revision_id, :metric_id, :value);
