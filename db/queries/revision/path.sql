-- A commit and its first parents, at most :steps of them.
WITH RECURSIVE chain (id, parent, age) AS (
	SELECT id, parent, 0 FROM revision WHERE oid = :oid
	UNION ALL
	SELECT revision.id, revision.parent, chain.age + 1
	FROM chain JOIN revision ON revision.oid = chain.parent
	WHERE chain.age < :steps
)
SELECT revision.id, oid, tree, patch_id, revision.parent, parents, position, time, subject, seal
FROM chain CROSS JOIN revision ON revision.id = chain.id;
