-- The number of runs, series, commits with runs, and numbers (11 bytes each where they are packed).
SELECT (SELECT count(1) FROM run), (SELECT count(*) FROM series),
	(SELECT count(DISTINCT revision_id) FROM run),
	(SELECT count(1) FROM value WHERE run_id NOT IN (SELECT run_id FROM numbers))
	+ (SELECT coalesce(sum(length(packed)), 0) / 11 FROM numbers);
