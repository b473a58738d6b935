-- Seals what the tree of a commit has; for the migration, when all rows have the same path.
UPDATE tree_file SET seal = :seal WHERE oid = :oid;
