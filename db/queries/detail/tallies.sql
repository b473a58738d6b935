-- The tallies of a range of runs, in the order in which they were added.
SELECT run_id, kind, name, count, seconds, bytes, flops
FROM tally
WHERE run_id BETWEEN :first AND :last
ORDER BY run_id, ordinal;
