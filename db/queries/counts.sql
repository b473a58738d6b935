-- How much is in the store: runs, their series, commits with runs, numbers.
SELECT (SELECT count(*) FROM run), (SELECT count(*) FROM series),
	(SELECT count(DISTINCT revision_id) FROM run), (SELECT count(*) FROM value);
