-- The lowest rowid of a run from :first on; NULL: none.
SELECT min(id) FROM run WHERE id >= :first;
