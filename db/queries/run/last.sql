-- The highest rowid of a run; 0: none.
SELECT coalesce(max(id), 0) FROM run;
