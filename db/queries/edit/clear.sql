-- Removes all edits, whose runs were removed before.
DELETE FROM edit;
