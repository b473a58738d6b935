-- The spreads of a range of runs, in the order in which they were added.
SELECT run_id, metric, count, minimum, median, mean, maximum, deviation, numbers
FROM spread
WHERE run_id BETWEEN :first AND :last
ORDER BY run_id, ordinal;
