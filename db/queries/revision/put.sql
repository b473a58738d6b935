-- Adds a commit, or replaces all columns of the stored one.
INSERT INTO revision (id, oid, tree, patch_id, parent, parents, position, time, subject, seal)
VALUES (:id, :oid, :tree, :patch_id, :parent, :parents, :position, :time, :subject, :seal)
ON CONFLICT (id) DO UPDATE SET
	tree = excluded.tree,
	patch_id = excluded.patch_id,
	parent = excluded.parent,
	parents = excluded.parents,
	position = excluded.position,
	time = excluded.time,
	subject = excluded.subject,
	seal = excluded.seal;
