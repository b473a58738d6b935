-- The number of runs, series, commits with runs, numbers (11 bytes each where they are packed), and removed runs.
-- The others count only runs that are not removed, except the numbers.
SELECT (SELECT count(1) FROM run WHERE dirty < 4), (SELECT count(*) FROM series),
	(SELECT count(DISTINCT revision_id) FROM run WHERE dirty < 4),
	(SELECT count(1) FROM value WHERE run_id NOT IN (SELECT run_id FROM numbers))
	+ (SELECT coalesce(sum(length(packed)), 0) / 11 FROM numbers),
	(SELECT count(1) FROM run WHERE dirty >= 4);
