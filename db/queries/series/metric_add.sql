-- A metric that a run of the series has; most often it is there already.
INSERT OR IGNORE INTO series_metric (series_id, metric_id) VALUES (:series_id, :metric_id);
