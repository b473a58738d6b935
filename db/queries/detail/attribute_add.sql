-- Adds an attribute to a run.
INSERT INTO attribute (run_id, ordinal, key, text)
VALUES (:run_id, :ordinal, :key, :text);
