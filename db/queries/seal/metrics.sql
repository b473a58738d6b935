-- All metric keys with their seals.
SELECT id, key, seal FROM metric;
