-- When the first run of an ingest was stored whose number is the run's rowid, and its hash.
SELECT ingested_at, hash FROM run WHERE id = :ingest AND ingest = :ingest;
