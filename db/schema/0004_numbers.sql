-- Schema 4. The numbers of a run lie together: of a row for each, three quarters were headers, and
-- writing them cost more than all else. Runs that older programs wrote keep their rows in `value`,
-- which gets no new ones; no run has both.

-- Little-endian, eleven bytes a known number, in the order of the metrics of the program that wrote
-- them: uint16 metric (id), uint8 provenance (as in `value`), float64 number
CREATE TABLE numbers (
	run_id INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
	packed BLOB NOT NULL
);

-- The timelines of a run's engines: each alone in `engine` took a page of 4 kB. Those that older
-- programs wrote stay there.
-- Little-endian, for each engine that has one: uint16 ordinal, 256 float32 (as in `engine`)
CREATE TABLE timelines (
	run_id INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
	packed BLOB NOT NULL
);

-- The last runs of a long history are found from its newest commit on, without sorting all of it, and
-- without reading runs of other series.
CREATE INDEX revision_by_position ON revision (position, time);
DROP INDEX run_by_revision;
CREATE INDEX run_by_revision ON run (revision_id, series_id, dirty);

-- Eight bytes of a hash find its run as surely as 32, in an index of a third of the size.
DROP INDEX run_by_content;
CREATE INDEX run_by_content ON run (substr(content, 1, 8));
