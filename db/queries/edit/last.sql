-- The highest rowid of an edit; 0: none.
SELECT coalesce(max(id), 0) FROM edit;
