-- Adds the timelines of a run's engines (db/schema/0004_numbers.sql).
INSERT INTO timelines (run_id, packed) VALUES (:run_id, :packed);
