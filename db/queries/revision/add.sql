-- Adds a commit, or completes the stored one: an empty text is filled, and a higher position (of a deeper
-- history) replaces a lower one. Writes nothing if nothing is new.
INSERT INTO revision (oid, tree, patch_id, parent, parents, position, time, subject)
VALUES (:oid, :tree, :patch_id, :parent, :parents, :position, :time, :subject)
ON CONFLICT (oid) DO UPDATE SET
	tree = coalesce(nullif(tree, ''), excluded.tree, tree),
	patch_id = coalesce(nullif(patch_id, ''), excluded.patch_id, patch_id),
	parent = coalesce(nullif(parent, ''), excluded.parent, parent),
	parents = coalesce(nullif(parents, ''), excluded.parents, parents),
	position = max(position, excluded.position),
	subject = coalesce(nullif(subject, ''), excluded.subject, subject)
WHERE (coalesce(tree, '') = '' AND excluded.tree <> '')
	OR (coalesce(patch_id, '') = '' AND excluded.patch_id <> '')
	OR (coalesce(parent, '') = '' AND excluded.parent <> '')
	OR (coalesce(parents, '') = '' AND excluded.parents <> '')
	OR (coalesce(subject, '') = '' AND excluded.subject <> '')
	OR position < excluded.position;
