-- The cores of many runs (a JSON array of their ids), each with the place of its run in that
-- array, in the order in which they were added.
SELECT wanted.key, core.name, core.cycles, core.instructions, core.flops, core.tensor_active_time
FROM json_each(:ids) AS wanted CROSS JOIN core ON core.run_id = wanted.value
ORDER BY wanted.key, core.ordinal;
