-- The warnings of a range of runs, in the order in which they were added.
SELECT run_id, category, message
FROM note
WHERE run_id BETWEEN :first AND :last
ORDER BY run_id, ordinal;
