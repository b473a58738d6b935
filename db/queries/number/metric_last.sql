-- The newest number of a metric key: numbers are given out in order, and what they mean stays.
SELECT max(id) FROM metric;
