-- Empties the table; it is then rebuilt from the runs.
DELETE FROM series_metrics;
