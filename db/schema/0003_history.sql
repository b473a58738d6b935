-- Schema 3. What the gate reads of a whole history, side by side and by series, so that a verdict
-- need not visit every run. Both tables are derived: they can be emptied and rebuilt by the
-- statements at the end.

-- Runs that may serve as history: of a clean work tree, not known to be incorrect. The headline is
-- a run's time, else the rate that its producer states.
CREATE TABLE history (
	series_id INTEGER NOT NULL REFERENCES series (id),
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	revision_id INTEGER NOT NULL, -- run (revision_id)
	metric_id INTEGER,            -- of the headline; NULL: the run has none
	value REAL,
	PRIMARY KEY (series_id, run_id)
) WITHOUT ROWID;

-- Metrics that a run of the series ever had: no other one needs to be looked for.
CREATE TABLE series_metric (
	series_id INTEGER NOT NULL REFERENCES series (id),
	metric_id INTEGER NOT NULL, -- metric (id)
	PRIMARY KEY (series_id, metric_id)
) WITHOUT ROWID;

-- A pinned baseline stays one: what comes later is compared with it too.
ALTER TABLE baseline ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;

WITH headline (key, rank) AS (
	VALUES ('total_time', 1), ('host_time', 2), ('algorithmic_rate', 3),
		('algorithmic_bandwidth', 4), ('throughput', 5)
), ranked (metric_id, rank) AS MATERIALIZED (
	SELECT metric.id, rank FROM headline JOIN metric ON metric.key = headline.key
), chosen (series_id, run_id, revision_id, metric_id) AS (
	SELECT series_id, id, revision_id, (
		SELECT ranked.metric_id
		FROM ranked CROSS JOIN value ON value.run_id = run.id
			AND value.metric_id = ranked.metric_id
		ORDER BY rank
		LIMIT 1
	)
	FROM run
	WHERE dirty = 0 AND (
		SELECT text FROM attribute WHERE run_id = run.id AND key = 'correctness'
		ORDER BY ordinal
		LIMIT 1
	) IS NOT 'incorrect'
)
INSERT INTO history (series_id, run_id, revision_id, metric_id, value)
SELECT chosen.series_id, chosen.run_id, chosen.revision_id, chosen.metric_id, value.value
FROM chosen LEFT JOIN value ON value.run_id = chosen.run_id
	AND value.metric_id = chosen.metric_id
ORDER BY chosen.series_id, chosen.run_id;

INSERT INTO series_metric (series_id, metric_id)
SELECT DISTINCT run.series_id, value.metric_id
FROM run CROSS JOIN value ON value.run_id = run.id
ORDER BY run.series_id, value.metric_id;
