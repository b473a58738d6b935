-- Takes a pin away.
DELETE FROM baseline WHERE name = :name;
