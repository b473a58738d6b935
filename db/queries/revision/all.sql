-- All commits, oldest first.
SELECT id, oid, tree, patch_id, parent, parents, position, time, subject, seal
FROM revision
ORDER BY position, time, oid;
