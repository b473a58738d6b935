-- Puts back a metric key that was changed.
UPDATE metric SET id = :id, key = :key, seal = :seal WHERE id = :changed AND key = :second;
