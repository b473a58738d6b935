-- The series with numbers from :first to :last, by number.
SELECT id, key, kernel, variant, dtype, params, device, instance_type, cores, tool
FROM series
WHERE id BETWEEN :first AND :last
ORDER BY id;
