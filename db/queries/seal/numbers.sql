-- The packed numbers of all runs with their seals.
SELECT run_id, packed, seal FROM numbers;
