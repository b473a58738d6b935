-- The runs of all edits with their seals.
SELECT edit_id, run, effect, series_id, new_series_id, seal FROM edited_run;
