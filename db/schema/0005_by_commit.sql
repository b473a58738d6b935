-- Schema 5. What a verdict reads lies by commit, so that it reads its window and not all history, and
-- asks git for nothing.

-- What the trees of commits put up with (.rooflog/accept). Derived from git: what is missing here is
-- asked there.
CREATE TABLE accepted_file (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE, -- SHA-256 of the bytes
	bytes BLOB NOT NULL        -- as committed
);
CREATE TABLE accepted (
	oid TEXT PRIMARY KEY,   -- of the commit
	file_id INTEGER REFERENCES accepted_file (id) -- NULL: its tree has no such file
) WITHOUT ROWID;

-- Of each commit with runs those that may serve as history (of a clean work tree, not known to be
-- incorrect), in ingest order; of schema 3, where it lay in blocks, only the words "derived" and
-- "whoever deletes runs empties them" still hold. Little-endian:
--   uint32 records, then for each 20 bytes:
--   uint32 series (id), uint64 run (id) << 16 | metric (id), float64 headline: the run's time, else
--          the rate that its producer states; metric 0: it has none
--   in row 0 instead: int64 the newest run that was looked at
DROP TABLE history;
CREATE TABLE history (
	revision_id INTEGER PRIMARY KEY,
	records BLOB NOT NULL
);
