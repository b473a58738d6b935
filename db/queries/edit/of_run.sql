-- The last edit of a run; no row if there is none.
SELECT max(edit_id) FROM edited_run WHERE run = :run HAVING count(1) > 0;
