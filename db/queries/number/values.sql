-- The numbers of a range of runs, of programs before schema version 4. Packed numbers take precedence.
SELECT run_id, metric_id, value, provenance
FROM value
WHERE run_id BETWEEN :first AND :last
	AND NOT EXISTS (SELECT 1 FROM numbers WHERE numbers.run_id = value.run_id)
ORDER BY run_id, metric_id;
