-- Schema 3. What a verdict reads of thousands of commits lies together, apart from the runs. Both
-- tables are derived: whoever deletes runs empties them (DELETE FROM history; DELETE FROM
-- series_metric), and the next program that writes, `rooflog init` for one, fills them again.

-- Runs that may serve as history (of a clean work tree, not known to be incorrect), 24 bytes each,
-- in ingest order, in blocks that are made with room for more. Little-endian:
--   header: int64 records in use, int64 the newest run that was looked at, int64 records in
--           earlier blocks
--   record: uint32 series (id), uint32 revision (id), uint64 run (id) << 16 | metric (id), float64
--           headline: the run's time, else the rate that its producer states; metric 0: it has none
CREATE TABLE history (
	id INTEGER PRIMARY KEY,
	records BLOB NOT NULL
);

-- Metrics that a run of the series ever had: no other one needs to be looked for.
CREATE TABLE series_metric (
	series_id INTEGER NOT NULL REFERENCES series (id),
	metric_id INTEGER NOT NULL, -- metric (id)
	PRIMARY KEY (series_id, metric_id)
) WITHOUT ROWID;

-- A pinned baseline is a release: what comes later is compared with it too.
ALTER TABLE baseline ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
