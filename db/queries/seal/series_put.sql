-- Seals a series.
UPDATE series SET seal = :seal WHERE id = :id;
