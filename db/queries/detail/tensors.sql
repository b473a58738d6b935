-- The tensors of a range of runs, in the order in which they were added.
SELECT run_id, name, role, shape, bytes
FROM tensor
WHERE run_id BETWEEN :first AND :last
ORDER BY run_id, ordinal;
