-- The cores of a range of runs, in the order in which they were added.
SELECT run_id, name, cycles, instructions, flops, tensor_active_time
FROM core
WHERE run_id BETWEEN :first AND :last
ORDER BY run_id, ordinal;
