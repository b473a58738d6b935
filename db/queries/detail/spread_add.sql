-- Adds the distribution of one metric over the repeats of a run.
INSERT INTO spread (run_id, ordinal, metric, count, minimum, median, mean, maximum, deviation, numbers)
VALUES (:run_id, :ordinal, :metric, :count, :minimum, :median, :mean, :maximum, :deviation, :numbers);
