-- The newest run that `history` covers, as stored in its row 0 (NULL: none), and the newest run of the store.
SELECT (SELECT records FROM history WHERE revision_id = 0),
	(SELECT seal FROM history WHERE revision_id = 0), coalesce((SELECT max(id) FROM run), 0);
