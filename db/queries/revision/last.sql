-- The highest rowid of a commit; 0: none.
SELECT coalesce(max(id), 0) FROM revision;
