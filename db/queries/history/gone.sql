-- Whether a commit has runs up to :newest, which the table covers, but no row of history. Those that are set aside
-- do not count.
SELECT EXISTS (
	SELECT 1 FROM run
	WHERE id <= :newest AND coalesce(dirty, 0) NOT IN (2, 6)
		AND NOT EXISTS (SELECT 1 FROM history WHERE history.revision_id = run.revision_id)
);
