-- Has any run of the series this metric?
SELECT 1 FROM series_metric WHERE series_id = :series_id AND metric_id = :metric_id;
