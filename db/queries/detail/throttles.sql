-- The throttling intervals of a range of runs, in the order in which they were added.
SELECT run_id, core, type, start, duration, allowed
FROM throttle
WHERE run_id BETWEEN :first AND :last
ORDER BY run_id, ordinal;
