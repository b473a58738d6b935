-- Seals a commit.
UPDATE revision SET seal = :seal WHERE id = :id;
