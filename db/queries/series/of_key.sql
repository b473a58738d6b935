-- The rowids of the series with this key.
SELECT id FROM series WHERE key = :key;
