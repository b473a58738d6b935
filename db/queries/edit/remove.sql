-- Removes an edit that has no runs.
DELETE FROM edit WHERE id = :id;
