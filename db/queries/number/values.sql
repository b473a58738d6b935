-- The numbers of runs as older programs wrote them; packed ones win.
SELECT run_id, metric_id, value, provenance
FROM value
WHERE run_id BETWEEN :first AND :last
	AND NOT EXISTS (SELECT 1 FROM numbers WHERE numbers.run_id = value.run_id)
ORDER BY run_id, metric_id;
