-- The series with rowids from :first to :last, sorted by rowid.
SELECT id, key, kernel, variant, dtype, params, device, instance_type, cores, tool, seal
FROM main.series
WHERE id BETWEEN :first AND :last
ORDER BY id;
