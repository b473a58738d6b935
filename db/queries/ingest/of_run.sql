-- When a run was ingested, with which others, its series and its state.
SELECT ingested_at, ingest, series_id, dirty FROM run WHERE id = :id;
