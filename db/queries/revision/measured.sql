-- All commits, and whether each has runs of a clean work tree: 2 intact ones, 1 removed ones only.
SELECT id, oid, tree, patch_id, parent, parents, position, time, subject, seal,
	CASE WHEN EXISTS (SELECT 1 FROM run WHERE run.revision_id = revision.id AND run.dirty = 0) THEN 2
		ELSE EXISTS (SELECT 1 FROM run WHERE run.revision_id = revision.id AND run.dirty = 4) END
FROM revision
ORDER BY oid;
