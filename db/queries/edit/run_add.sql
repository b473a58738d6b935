-- Adds a run to an edit.
INSERT INTO edited_run (edit_id, run, effect, series_id, new_series_id, seal)
VALUES (:edit_id, :run, :effect, :series_id, :new_series_id, :seal);
