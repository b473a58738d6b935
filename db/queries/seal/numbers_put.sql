-- Seals the packed numbers of a run.
UPDATE numbers SET seal = :seal WHERE run_id = :run_id;
