-- The rowid of the run with this hash, if it is stored.
SELECT id FROM run WHERE hash = :hash;
