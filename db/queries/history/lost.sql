-- A row of history whose commit is not stored; NULL: none.
SELECT min(revision_id) FROM history
WHERE revision_id <> 0 AND revision_id NOT IN (SELECT id FROM revision);
