-- Returns a row if a run of the series has the metric.
SELECT 1 FROM series_metric WHERE series_id = :series_id AND metric_id = :metric_id;
