-- The throttle windows of many runs (a JSON array of their ids), each with the place of its run
-- in that array, in the order in which they were added.
SELECT wanted.key, throttle.core, throttle.type, throttle.start, throttle.duration, throttle.allowed
FROM json_each(:ids) AS wanted CROSS JOIN throttle ON throttle.run_id = wanted.value
ORDER BY wanted.key, throttle.ordinal;
