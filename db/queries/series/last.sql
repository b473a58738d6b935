-- The highest rowid of a series; 0: none.
SELECT coalesce(max(id), 0) FROM series;
