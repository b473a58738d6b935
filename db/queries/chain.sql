-- The first-parent chain of a commit, newest first, each commit with its number. CROSS JOIN makes
-- the chain a coroutine: rows come in the order of the walk. A chain never has more steps than
-- there are commits.
WITH RECURSIVE chain (id, parent, age) AS (
	SELECT id, parent, 0 FROM revision WHERE oid = :oid
	UNION ALL
	SELECT revision.id, revision.parent, chain.age + 1
	FROM chain JOIN revision ON revision.oid = chain.parent
	WHERE chain.age < (SELECT max(id) FROM revision)
)
SELECT chain.id, oid, tree, patch_id, revision.parent, parents, position, time, subject
FROM chain CROSS JOIN revision ON revision.id = chain.id;
