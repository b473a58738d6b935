-- All metric keys that ever had a value.
SELECT id, key, seal FROM metric;
