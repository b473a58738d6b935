-- The packed numbers of one run; no row when its numbers are in `value`, or when it has none.
SELECT packed FROM numbers WHERE run_id = :run_id;
