-- The number of the ingest that stored the newest run; 0: there is none.
SELECT coalesce((SELECT ingest FROM run ORDER BY id DESC LIMIT 1), 0);
