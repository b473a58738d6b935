-- The spreads of many runs (a JSON array of their ids), each with the place of its run in that
-- array, in the order in which they were added.
SELECT wanted.key, spread.metric, spread.count, spread.minimum, spread.median, spread.mean,
	spread.maximum, spread.deviation, spread.numbers
FROM json_each(:ids) AS wanted CROSS JOIN spread ON spread.run_id = wanted.value
ORDER BY wanted.key, spread.ordinal;
