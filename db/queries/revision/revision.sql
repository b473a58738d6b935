-- The commit with this full id.
SELECT id, oid, tree, patch_id, parent, parents, position, time, subject, seal
FROM revision
WHERE oid = :oid;
