-- Seals a metric key.
UPDATE metric SET seal = :seal WHERE id = :id;
