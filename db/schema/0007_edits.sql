-- Schema 7. Runs are taken back and series renamed without deleting anything, so that both can be undone.

-- Derived, and made again by the next transaction that writes. The count of a commit's records is followed by a uint64:
-- the sum of its runs that are neither removed nor set aside, each a seal of its rowid, series_id and dirty. So a run that was
-- moved or lost is missed.
DELETE FROM history;

-- `run.dirty` plus 4 is a removed run: nothing but this list and `rooflog doctor` reads it. (2 is a damaged run that is
-- set aside; 6 is both.)

-- What was done to runs that were stored.
CREATE TABLE edit (
	id INTEGER PRIMARY KEY,     -- grows with time
	kind TEXT NOT NULL,         -- 'rm', 'mv', 'replace', 'again'
	time INTEGER NOT NULL,      -- Unix seconds
	undone_at INTEGER NOT NULL, -- Unix seconds; 0: in force
	reason TEXT,                -- why, as given
	seal INTEGER NOT NULL
);

-- The runs of an edit. Undoing it brings back those that it removed, removes those that it added, and gives those that
-- it renamed to their earlier series.
CREATE TABLE edited_run (
	edit_id INTEGER NOT NULL REFERENCES edit (id),
	run TEXT NOT NULL,          -- run.hash in hexadecimal
	effect INTEGER NOT NULL,    -- 1 removed, 2 added, 3 renamed
	series_id INTEGER NOT NULL REFERENCES series (id), -- before the edit
	new_series_id INTEGER NOT NULL REFERENCES series (id),
	seal INTEGER NOT NULL,
	PRIMARY KEY (edit_id, run)
) WITHOUT ROWID;
CREATE INDEX edited_run_by_run ON edited_run (run);
