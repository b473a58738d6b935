-- The numbers of the series that have a key.
SELECT id FROM series WHERE key = :key;
