-- Walks the first parents of a commit and stops at the first ancestor with clean runs of a series
-- (has_runs 1), or where no parent is stored (has_runs 0; parent is '' at a root). CROSS JOIN makes
-- the chain a coroutine: rows come in the order of the walk, and LIMIT 1 ends it early. A chain
-- never has more steps than there are commits.
WITH RECURSIVE chain (id, parent, age) AS (
	SELECT id, parent, 0 FROM revision WHERE oid = :oid
	UNION ALL
	SELECT revision.id, revision.parent, chain.age + 1
	FROM chain JOIN revision ON revision.oid = chain.parent
	WHERE chain.age < (SELECT count(*) FROM revision)
)
SELECT chain.age > 0 AND EXISTS (
		SELECT 1 FROM series JOIN run ON run.series_id = series.id
		WHERE series.key = :series AND run.revision_id = chain.id AND run.dirty = 0
	) AS has_runs,
	chain.age, oid, tree, patch_id, revision.parent, parents, position, time, subject
FROM chain CROSS JOIN revision ON revision.id = chain.id
WHERE has_runs OR NOT EXISTS (SELECT 1 FROM revision WHERE oid = chain.parent)
LIMIT 1;
