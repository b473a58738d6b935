-- Removes a name.
DELETE FROM baseline WHERE name = :name;
