-- Puts back a series that was changed.
UPDATE series SET id = :id, key = :key, kernel = :kernel, variant = :variant, dtype = :dtype, params = :params,
	device = :device, instance_type = :instance_type, cores = :cores, tool = :tool, seal = :seal
WHERE id = :changed AND key = :second;
