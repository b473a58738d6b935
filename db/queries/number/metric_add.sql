-- Adds a metric key.
INSERT INTO metric (id, key, seal) VALUES (:id, :key, :seal);
