-- The engines of a range of runs, in the order in which they were added. `timeline` is set only in rows of
-- programs before schema version 4.
SELECT run_id, name, active_time, timeline
FROM engine
WHERE run_id BETWEEN :first AND :last
ORDER BY run_id, ordinal;
