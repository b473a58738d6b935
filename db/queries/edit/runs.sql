-- The runs of an edit.
SELECT edit_id, run, effect, series_id, new_series_id, seal FROM edited_run WHERE edit_id = :edit_id;
