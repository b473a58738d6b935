-- One tally of a run.
INSERT INTO tally (run_id, ordinal, kind, name, count, seconds, bytes, flops)
VALUES (:run_id, :ordinal, :kind, :name, :count, :seconds, :bytes, :flops);
