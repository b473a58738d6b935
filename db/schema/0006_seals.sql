-- Schema 6. Damage is noticed: rows have a seal, a checksum of 64 bits (db/sqlite/seal.c) over their columns in
-- the order of the table, the rowid included, unless said otherwise. The migration seals what it finds.
ALTER TABLE revision ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE series ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE metric ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE numbers ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE baseline ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;

-- Runs that one call of ingest stored have the same number: the time, in microseconds since 1970. Older programs took
-- the rowid of the first of them. 0: stored by a still older one; then runs of the same second are of one call.
ALTER TABLE run ADD COLUMN ingest INTEGER NOT NULL DEFAULT 0;
-- Three seals, little-endian: of the run's row, numbers, series' key and commit's id; of its throttles, attributes,
-- notes and spreads; of its other lists. `dirty` may also be 2: the run is damaged and set aside, and nothing but
-- `rooflog doctor` reads it.
ALTER TABLE run ADD COLUMN seals BLOB NOT NULL DEFAULT x'';

-- Derived, and empty until the next transaction that writes fills it (0005_by_commit.sql). The count of records is
-- followed by two more uint32, which nothing reads; schema 7 has a sum in their place.
DROP TABLE history;
CREATE TABLE history (
	revision_id INTEGER PRIMARY KEY,
	records BLOB NOT NULL,
	seal INTEGER NOT NULL
);

-- Metrics that a run of the series ever had, uint16 each, little-endian, in the order of their appearance: no other
-- one needs to be looked for. Derived, like history.
DROP TABLE series_metric;
CREATE TABLE series_metrics (
	series_id INTEGER PRIMARY KEY,
	packed BLOB NOT NULL,
	seal INTEGER NOT NULL
);

-- Files of rooflog in the trees of commits, such as .rooflog/accept. Derived from git: what is missing here is asked
-- there.
CREATE TABLE committed_file (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE, -- SHA-256 of the bytes
	bytes BLOB NOT NULL        -- as committed
);
CREATE TABLE tree_file (
	oid TEXT NOT NULL,      -- of the commit
	path TEXT NOT NULL,
	file_id INTEGER REFERENCES committed_file (id), -- NULL: its tree has no such file
	seal INTEGER NOT NULL,  -- over oid, path and the file's hash
	PRIMARY KEY (oid, path)
) WITHOUT ROWID;
INSERT INTO committed_file SELECT id, hash, bytes FROM accepted_file;
INSERT INTO tree_file SELECT oid, '.rooflog/accept', file_id, 0 FROM accepted;
DROP TABLE accepted;
DROP TABLE accepted_file;
