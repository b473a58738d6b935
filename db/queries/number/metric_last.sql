-- The highest rowid of a metric key. Rowids increase, and a key never changes its rowid.
SELECT max(id) FROM metric;
