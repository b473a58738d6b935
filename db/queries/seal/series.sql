-- All series with their seals.
SELECT id, key, kernel, variant, dtype, params, device, instance_type, cores, tool, seal FROM main.series;
