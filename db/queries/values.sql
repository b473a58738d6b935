-- The numbers of runs as older programs wrote them.
SELECT run_id, metric_id, value, provenance
FROM value
WHERE run_id BETWEEN :first AND :last
ORDER BY run_id, metric_id;
