-- Schema 2. Repeats: how a metric of a run was distributed over its executions. NULL is unknown.
CREATE TABLE spread (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	ordinal INTEGER NOT NULL,
	metric TEXT NOT NULL,   -- its key
	count REAL,
	minimum REAL,
	median REAL,
	mean REAL,
	maximum REAL,
	deviation REAL,         -- standard deviation of the sample
	numbers BLOB,           -- float64, little-endian: the repeats in their order
	PRIMARY KEY (run_id, ordinal)
) WITHOUT ROWID;
