-- Sets a damaged run aside: nothing but the check of the store reads it. A number above those of runs, which would
-- leave none for the next, gives way to the first free one.
UPDATE run SET
	dirty = 2,
	id = CASE WHEN id > :last
		THEN (SELECT coalesce(max(id), 0) + 1 FROM run WHERE id BETWEEN 0 AND :last) ELSE id END
WHERE id = :id;
