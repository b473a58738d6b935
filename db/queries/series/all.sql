-- All series, and whether they have runs that are neither set aside nor removed.
SELECT id, EXISTS (
	SELECT 1 FROM run
	WHERE run.series_id = main.series.id AND coalesce(run.dirty, 0) NOT IN (2, 4, 5, 6))
FROM main.series
ORDER BY id;
