-- The rowid of a metric key, found without the index: a key that it missed would get a second rowid.
SELECT id FROM metric NOT INDEXED WHERE key = :key;
