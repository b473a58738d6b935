-- Adds the figures of one physical core to a run.
INSERT INTO core (run_id, ordinal, name, cycles, instructions, flops, tensor_active_time)
VALUES (:run_id, :ordinal, :name, :cycles, :instructions, :flops, :tensor_active_time);
