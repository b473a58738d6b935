-- The packs of a project that were stored since a time.
SELECT id, stored_at FROM rooflog.pack WHERE place = $1 AND stored_at >= $2 ORDER BY stored_at, id;
