-- The metrics of all series with their seals.
SELECT series_id, packed, seal FROM series_metrics;
