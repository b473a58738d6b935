-- The first-parent chain of a commit, newest first, each commit with its number, the runs of it that
-- may serve as history, and, where there are none, whether there should be: runs up to the newest one
-- that was looked at. CROSS JOIN makes the chain a coroutine: rows come in the order of the walk, and
-- what nobody steps to is not read. A chain never has more steps than there are commits. CASE, because
-- both sides of an AND are computed, and the index, because a store without statistics is searched by
-- run.id otherwise, from the first run to the commit's.
WITH RECURSIVE chain (id, parent, age) AS (
	SELECT id, parent, 0 FROM revision WHERE oid = :oid
	UNION ALL
	SELECT revision.id, revision.parent, chain.age + 1
	FROM chain JOIN revision ON revision.oid = chain.parent
	WHERE chain.age < (SELECT count(*) FROM revision)
)
SELECT chain.id, oid, tree, patch_id, revision.parent, parents, position, time, subject,
	history.records,
	CASE WHEN coalesce(length(history.records), 0) = 0 THEN EXISTS (
		SELECT 1 FROM run INDEXED BY run_by_revision
		WHERE run.revision_id = chain.id AND run.id <= :newest) ELSE 0 END
FROM chain CROSS JOIN revision ON revision.id = chain.id
	LEFT JOIN history ON history.revision_id = chain.id;
