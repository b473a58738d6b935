-- Records that a run of the series has a metric, unless that is known.
INSERT OR IGNORE INTO series_metric (series_id, metric_id) VALUES (:series_id, :metric_id);
