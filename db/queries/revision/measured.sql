-- All commits, and whether each has intact runs of a clean work tree.
SELECT id, oid, tree, patch_id, parent, parents, position, time, subject, seal,
	EXISTS (SELECT 1 FROM run WHERE run.revision_id = revision.id AND run.dirty = 0)
FROM revision
ORDER BY oid;
