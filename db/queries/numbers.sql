-- The packed numbers of many runs (a JSON array of their ids), with the run's place in that array.
SELECT wanted.key, numbers.packed
FROM json_each(:ids) AS wanted CROSS JOIN numbers ON numbers.run_id = wanted.value;
