-- The packed numbers of a range of runs.
SELECT run_id, run_id, packed, seal
FROM numbers
WHERE run_id BETWEEN :first AND :last
ORDER BY run_id;
