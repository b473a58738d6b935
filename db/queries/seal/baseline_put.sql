-- Seals a named commit.
UPDATE baseline SET seal = :seal WHERE name = :name;
