-- Adds a series.
INSERT INTO series (id, key, kernel, variant, dtype, params, device, instance_type, cores, tool, seal)
VALUES (:id, :key, :kernel, :variant, :dtype, :params, :device, :instance_type, :cores, :tool, :seal);
