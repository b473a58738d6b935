-- The run with this hash, if it is stored: its rowid, and its state (`dirty`).
SELECT id, dirty FROM run WHERE hash = :hash;
