-- The highest number of an edit, whether or not its row is still there; 0: none.
SELECT max(coalesce((SELECT max(id) FROM edit), 0), coalesce((SELECT max(edit_id) FROM edited_run), 0));
