-- The engines of runs, in the order in which they were added; with a timeline where an older program wrote
-- it.
SELECT run_id, name, active_time, timeline
FROM engine
WHERE run_id BETWEEN :first AND :last
ORDER BY run_id, ordinal;
