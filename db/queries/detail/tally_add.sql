-- Adds a tally to a run.
INSERT INTO tally (run_id, ordinal, kind, name, count, seconds, bytes, flops)
VALUES (:run_id, :ordinal, :kind, :name, :count, :seconds, :bytes, :flops);
