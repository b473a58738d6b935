-- The blocks of runs that may serve as history, oldest first.
SELECT records FROM history ORDER BY id;
