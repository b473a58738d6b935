-- Adds an interval of throttling to a run.
INSERT INTO throttle (run_id, ordinal, core, type, start, duration, allowed)
VALUES (:run_id, :ordinal, :core, :type, :start, :duration, :allowed);
