-- The tallies of many runs (a JSON array of their ids), each with the place of its run in that
-- array, in the order in which they were added.
SELECT wanted.key, tally.kind, tally.name, tally.count, tally.seconds, tally.bytes, tally.flops
FROM json_each(:ids) AS wanted CROSS JOIN tally ON tally.run_id = wanted.value
ORDER BY wanted.key, tally.ordinal;
