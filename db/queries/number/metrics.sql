-- Every metric key that ever had a value.
SELECT id, key FROM metric;
