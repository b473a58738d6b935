-- One engine (or the DMA) of a run.
INSERT INTO engine (run_id, ordinal, name, active_time, timeline)
VALUES (:run_id, :ordinal, :name, :active_time, :timeline);
