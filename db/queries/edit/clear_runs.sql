-- Removes the runs of all edits.
DELETE FROM edited_run;
