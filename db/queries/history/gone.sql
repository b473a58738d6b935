-- Whether a commit has runs that were looked at, but no row of history.
SELECT EXISTS (
	SELECT 1 FROM run
	WHERE id <= :newest
		AND NOT EXISTS (SELECT 1 FROM history WHERE history.revision_id = run.revision_id)
);
