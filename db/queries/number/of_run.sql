-- The packed numbers of a run; no row if it has no numbers or if they are in `value`.
SELECT run_id, packed, seal FROM numbers WHERE run_id = :run_id;
