-- The edits of a run, the newest first.
SELECT edit_id, run, effect, series_id, new_series_id, seal FROM edited_run WHERE run = :run ORDER BY edit_id DESC;
