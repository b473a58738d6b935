-- One engine (or the DMA) of a run; its timeline is in `timelines`.
INSERT INTO engine (run_id, ordinal, name, active_time)
VALUES (:run_id, :ordinal, :name, :active_time);
