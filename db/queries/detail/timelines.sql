-- The packed timelines of a range of runs.
SELECT run_id, packed
FROM timelines
WHERE run_id BETWEEN :first AND :last
ORDER BY run_id;
