-- Schema 5. What the trees of commits put up with (.rooflog/accept), so that a verdict reads no tree.
-- Both tables are derived from git: what is missing here is asked there.
CREATE TABLE accepted_file (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE, -- SHA-256 of the bytes
	bytes BLOB NOT NULL        -- as committed
);
CREATE TABLE accepted (
	oid TEXT PRIMARY KEY,   -- of the commit
	file_id INTEGER REFERENCES accepted_file (id) -- NULL: its tree has no such file
) WITHOUT ROWID;
