-- The metrics that runs of the series ever had, packed (db/schema/0006_seals.sql).
SELECT series_id, packed, seal FROM series_metrics WHERE series_id = :series_id;
