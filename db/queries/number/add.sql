-- Adds the known numbers of a run (db/schema/0004_numbers.sql).
INSERT INTO numbers (run_id, packed, seal) VALUES (:run_id, :packed, :seal);
