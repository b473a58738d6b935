-- Every run that may serve as history, series by series in ingest order, with its headline.
SELECT series_id, run_id, revision_id, metric_id, value
FROM history
ORDER BY series_id, run_id;
