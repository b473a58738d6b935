-- The packs of a project that were stored since a time, and the time now.
SELECT id, stored_at, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
FROM rooflog.pack
WHERE place = $1 AND stored_at >= $2
ORDER BY stored_at, id;
