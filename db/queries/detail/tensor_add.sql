-- Adds a tensor to a run.
INSERT INTO tensor (run_id, ordinal, name, role, shape, bytes)
VALUES (:run_id, :ordinal, :name, :role, :shape, :bytes);
