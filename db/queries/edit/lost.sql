-- The numbers of edits that have runs, but no row. The numbers are found one by one, since an edit may have
-- thousands of runs.
WITH RECURSIVE
	numbers (id) AS (
		SELECT max(edit_id) FROM edited_run
		UNION ALL
		SELECT (SELECT max(edit_id) FROM edited_run WHERE edit_id < numbers.id) FROM numbers WHERE id IS NOT NULL
	)
SELECT id FROM numbers WHERE typeof(id) = 'integer' AND id NOT IN (SELECT id FROM edit);
