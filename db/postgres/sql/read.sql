-- Some packs of a project.
SELECT id, lines FROM rooflog.pack WHERE place = $1 AND id = ANY ($2) ORDER BY stored_at, id;
