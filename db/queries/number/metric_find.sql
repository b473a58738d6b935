-- The rowid of a metric key.
SELECT id FROM metric WHERE key = :key;
