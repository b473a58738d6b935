-- Sets a damaged run aside: nothing but the check of the store reads it. A removed one stays removed, too. A number
-- above those of runs, which would leave none for the next, gives way to the first free one.
UPDATE run SET
	dirty = CASE WHEN dirty IN (4, 5, 6, 7) THEN 6 ELSE 2 END,
	id = CASE WHEN id > :last
		THEN (SELECT coalesce(max(id), 0) + 1 FROM run WHERE id BETWEEN 0 AND :last) ELSE id END
WHERE id = :id;
