-- Adds a warning to a run.
INSERT INTO note (run_id, ordinal, category, message)
VALUES (:run_id, :ordinal, :category, :message);
