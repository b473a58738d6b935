-- How one metric of a run was distributed over its repeats.
INSERT INTO spread (run_id, ordinal, metric, count, minimum, median, mean, maximum, deviation, numbers)
VALUES (:run_id, :ordinal, :metric, :count, :minimum, :median, :mean, :maximum, :deviation, :numbers);
