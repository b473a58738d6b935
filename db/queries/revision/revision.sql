-- The commit with this full id.
SELECT oid, tree, patch_id, parent, parents, position, time, subject
FROM revision
WHERE oid = :oid;
