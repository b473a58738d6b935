-- A series that no run had before.
INSERT INTO series (key, kernel, variant, dtype, params, device, instance_type, cores, tool)
VALUES (:key, :kernel, :variant, :dtype, :params, :device, :instance_type, :cores, :tool);
