-- Puts back a run of an edit that was changed.
UPDATE edited_run SET edit_id = :edit_id, run = :run, effect = :effect, series_id = :series_id,
	new_series_id = :new_series_id, seal = :seal
WHERE edit_id = :changed AND run = :second;
