-- The tensors of many runs (a JSON array of their ids), each with the place of its run in that
-- array, in the order in which they were added.
SELECT wanted.key, tensor.name, tensor.role, tensor.shape, tensor.bytes
FROM json_each(:ids) AS wanted CROSS JOIN tensor ON tensor.run_id = wanted.value
ORDER BY wanted.key, tensor.ordinal;
