-- Adds a series.
INSERT INTO series (key, kernel, variant, dtype, params, device, instance_type, cores, tool)
VALUES (:key, :kernel, :variant, :dtype, :params, :device, :instance_type, :cores, :tool);
