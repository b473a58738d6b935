-- Adds an engine (or the DMA) to a run. Its timeline is in `timelines`.
INSERT INTO engine (run_id, ordinal, name, active_time)
VALUES (:run_id, :ordinal, :name, :active_time);
