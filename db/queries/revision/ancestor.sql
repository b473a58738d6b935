-- Walks from a commit along its first parents and returns one row:
--   - has_runs 1: the first ancestor (not the commit itself) with clean runs of a series;
--   - has_runs 0: the last stored commit of the chain; its parent is '' if it is a root.
-- The CROSS JOIN of the chain makes it a coroutine: rows are computed in the order of the walk, and LIMIT 1
-- ends it early. The chain is limited to the number of commits, so that a cycle of parents ends. That of the
-- runs looks for the series first: without statistics SQLite would visit all runs of the commit, which may be
-- tens of thousands.
WITH RECURSIVE chain (id, parent, age) AS (
	SELECT id, parent, 0 FROM revision WHERE oid = :oid
	UNION ALL
	SELECT revision.id, revision.parent, chain.age + 1
	FROM chain JOIN revision ON revision.oid = chain.parent
	WHERE chain.age < (SELECT count(1) FROM revision)
)
SELECT chain.age > 0 AND EXISTS (
		SELECT 1 FROM series CROSS JOIN run ON run.series_id = series.id
		WHERE series.key = :series AND run.revision_id = chain.id AND run.dirty = 0
	) AS has_runs,
	chain.age, revision.id, oid, tree, patch_id, revision.parent, parents, position, time,
	subject, seal
FROM chain CROSS JOIN revision ON revision.id = chain.id
WHERE has_runs OR NOT EXISTS (SELECT 1 FROM revision WHERE oid = chain.parent)
LIMIT 1;
