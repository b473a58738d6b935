-- The attributes of a range of runs, in the order in which they were added.
SELECT run_id, key, text
FROM attribute
WHERE run_id BETWEEN :first AND :last
ORDER BY run_id, ordinal;
