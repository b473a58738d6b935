-- Adds an engine (or the DMA) to a run. Its timeline is in `timelines`, and NULL here.
INSERT INTO engine (run_id, ordinal, name, active_time, timeline)
VALUES (:run_id, :ordinal, :name, :active_time, :timeline);
