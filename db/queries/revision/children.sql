-- The positions of the first-parent children of a commit, followed by their rows.
SELECT position, id, oid, tree, patch_id, parent, parents, position, time, subject, seal
FROM revision
WHERE parent = :oid AND typeof(position) = 'integer' AND position > 0;
