-- Removes a run of an edit that was changed.
DELETE FROM edited_run WHERE edit_id IS :edit_id AND run IS :run;
