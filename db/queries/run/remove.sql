-- Removes a run that is set aside, because it was measured again.
DELETE FROM run WHERE id = :id;
