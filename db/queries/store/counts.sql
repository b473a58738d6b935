-- The number of runs that commands read, of their series, their commits and their numbers (11 bytes each where they are
-- packed), and of removed runs; when the latest of all was ingested.
WITH kept (id, series_id, revision_id) AS (
	SELECT id, series_id, revision_id FROM run WHERE coalesce(dirty, 0) NOT IN (2, 4, 5, 6)
)
SELECT (SELECT count(1) FROM kept), (SELECT count(DISTINCT series_id) FROM kept),
	(SELECT count(DISTINCT revision_id) FROM kept),
	(SELECT count(1) FROM value WHERE run_id IN (SELECT id FROM kept)
		AND run_id NOT IN (SELECT run_id FROM numbers))
	+ (SELECT coalesce(sum(length(packed)), 0) / 11 FROM numbers WHERE run_id IN (SELECT id FROM kept)),
	(SELECT count(1) FROM run WHERE dirty IN (4, 5, 6)),
	(SELECT coalesce(max(ingested_at), 0) FROM run);
