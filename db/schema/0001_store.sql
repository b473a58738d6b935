-- Schema 1. A run is measured once and never rewritten; it belongs to one commit (revision) and
-- one series. Numbers are SI base units; NULL is unknown, never 0. Nothing derived is stored.

-- A commit, with its first parent and first-parent position, so that history needs no git.
CREATE TABLE revision (
	id INTEGER PRIMARY KEY,
	oid TEXT NOT NULL UNIQUE,
	tree TEXT,
	patch_id TEXT,
	parent TEXT,            -- first parent's oid, '' for a root; may be a commit not stored here
	parents TEXT,           -- all parents, space separated
	position INTEGER NOT NULL,
	time INTEGER NOT NULL,  -- committer time, Unix seconds
	subject TEXT
);

-- What makes runs comparable. The key is the canonical text of the other columns, in which
-- an unknown text is '?'; a text '?' stays apart from it here, so every run comes back as it was.
CREATE TABLE series (
	id INTEGER PRIMARY KEY,
	key TEXT NOT NULL,
	kernel TEXT,
	variant TEXT,
	dtype TEXT,
	params TEXT NOT NULL,   -- JSON object of texts, sorted by name
	device TEXT,
	instance_type TEXT,
	cores INTEGER NOT NULL, -- 0: unknown
	tool TEXT
);
CREATE INDEX series_by_key ON series (key);

CREATE TABLE run (
	id INTEGER PRIMARY KEY, -- grows with ingest order
	hash BLOB NOT NULL UNIQUE, -- SHA-256 of content and identity: the run's name
	content BLOB NOT NULL,     -- SHA-256 of the content alone
	series_id INTEGER NOT NULL REFERENCES series (id),
	revision_id INTEGER NOT NULL REFERENCES revision (id),
	dirty INTEGER NOT NULL,    -- 1: the work tree had uncommitted changes
	node TEXT,
	ingested_at INTEGER NOT NULL, -- Unix seconds
	source TEXT,
	kernel_hash TEXT
);
CREATE INDEX run_by_series ON run (series_id, revision_id, dirty);
CREATE INDEX run_by_revision ON run (revision_id);
CREATE INDEX run_by_content ON run (content);

-- Metric keys as numbers. A key that the program does not know is left alone and not read.
CREATE TABLE metric (
	id INTEGER PRIMARY KEY,
	key TEXT NOT NULL UNIQUE
);

-- The numbers of a run, clustered by run; only known ones have a row.
CREATE TABLE value (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	metric_id INTEGER NOT NULL, -- metric (id)
	value REAL NOT NULL,
	provenance INTEGER NOT NULL, -- 1 measured, 2 reported, 3 derived, 4 estimated
	PRIMARY KEY (run_id, metric_id)
) WITHOUT ROWID;

-- The lists of a run, in the order of `ordinal`.
CREATE TABLE engine (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	ordinal INTEGER NOT NULL,
	name TEXT,
	active_time REAL,
	timeline BLOB,          -- 256 float32, little-endian: busy fraction; NULL: no intervals
	PRIMARY KEY (run_id, ordinal)
) WITHOUT ROWID;

CREATE TABLE tally (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	ordinal INTEGER NOT NULL,
	kind TEXT NOT NULL,     -- 'opcode', 'source', 'dma_queue', 'memory'
	name TEXT,
	count REAL,
	seconds REAL,
	bytes REAL,
	flops REAL,
	PRIMARY KEY (run_id, ordinal)
) WITHOUT ROWID;

CREATE TABLE throttle (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	ordinal INTEGER NOT NULL,
	core INTEGER NOT NULL,
	type TEXT,
	start REAL,
	duration REAL,
	allowed REAL,           -- k / n of the full rate, 0 to 1
	PRIMARY KEY (run_id, ordinal)
) WITHOUT ROWID;

CREATE TABLE core (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	ordinal INTEGER NOT NULL,
	name TEXT,
	cycles REAL,
	instructions REAL,
	flops REAL,
	tensor_active_time REAL,
	PRIMARY KEY (run_id, ordinal)
) WITHOUT ROWID;

CREATE TABLE tensor (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	ordinal INTEGER NOT NULL,
	name TEXT,
	role TEXT,
	shape TEXT,
	bytes REAL,
	PRIMARY KEY (run_id, ordinal)
) WITHOUT ROWID;

CREATE TABLE attribute (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	ordinal INTEGER NOT NULL,
	key TEXT,
	text TEXT,
	PRIMARY KEY (run_id, ordinal)
) WITHOUT ROWID;

CREATE TABLE note (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	ordinal INTEGER NOT NULL,
	category TEXT,
	message TEXT,
	PRIMARY KEY (run_id, ordinal)
) WITHOUT ROWID;

-- Commits that people pinned by name.
CREATE TABLE baseline (
	name TEXT PRIMARY KEY,
	oid TEXT NOT NULL,
	set_at INTEGER NOT NULL -- Unix seconds
) WITHOUT ROWID;
