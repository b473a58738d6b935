-- The facts in words of many runs (a JSON array of their ids), each with the place of its run
-- in that array, in the order in which they were added.
SELECT wanted.key, attribute.key, attribute.text
FROM json_each(:ids) AS wanted CROSS JOIN attribute ON attribute.run_id = wanted.value
ORDER BY wanted.key, attribute.ordinal;
