-- The commit of this number.
SELECT oid, tree, patch_id, parent, parents, position, time, subject
FROM revision
WHERE id = :id;
