-- The run with this hash, if it is stored: its rowid, and whether it is set aside.
SELECT id, dirty = 2 FROM run WHERE hash = :hash;
