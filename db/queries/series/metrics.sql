-- The metrics that runs of the series ever had.
SELECT metric_id FROM series_metric WHERE series_id = :series_id;
