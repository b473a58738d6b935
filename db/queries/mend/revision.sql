-- Puts back a commit that was changed.
UPDATE revision SET id = :id, oid = :oid, tree = :tree, patch_id = :patch_id, parent = :parent, parents = :parents,
	position = :position, time = :time, subject = :subject, seal = :seal
WHERE id = :changed AND oid = :second;
