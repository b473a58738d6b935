-- The series with these numbers (a JSON array), by number.
SELECT id, key, kernel, variant, dtype, params, device, instance_type, cores, tool
FROM series
WHERE id IN (SELECT value FROM json_each(:ids))
ORDER BY id;
