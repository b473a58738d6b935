-- Removes a run that is stored again: one that is set aside, or that another store ingested earlier.
DELETE FROM run WHERE id = :id;
