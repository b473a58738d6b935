-- When this run came in.
SELECT ingested_at FROM run WHERE id = :id;
