-- Sets the metrics that runs of the series ever had.
INSERT INTO series_metrics (series_id, packed, seal) VALUES (:series_id, :packed, :seal)
ON CONFLICT (series_id) DO UPDATE SET packed = excluded.packed, seal = excluded.seal;
