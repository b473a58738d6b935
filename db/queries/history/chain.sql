-- The first-parent chain of a commit, newest first. Columns: rowid of the commit; its row; its row of
-- `history` (NULL: none); and, if that is missing or empty, whether it should exist, because the commit has
-- runs up to :newest, the newest run that the table covers.
--   - The chain is limited to the number of commits, so that a cycle of parents ends. count(1), because SQLite
--     counts pages for count(*) in one step, which in a damaged file may never end.
--   - CROSS JOIN makes the chain a coroutine: rows are computed in the order of the walk, and only as many as
--     are read.
--   - CASE, because SQLite computes both sides of an AND.
--   - INDEXED BY, because without statistics SQLite would search by run.id, from the first run on.
WITH RECURSIVE chain (id, parent, age) AS (
	SELECT id, parent, 0 FROM revision WHERE oid = :oid
	UNION ALL
	SELECT revision.id, revision.parent, chain.age + 1
	FROM chain JOIN revision ON revision.oid = chain.parent
	WHERE chain.age < (SELECT count(1) FROM revision)
)
SELECT chain.id, revision.id, oid, tree, patch_id, revision.parent, parents, position, time, subject,
	revision.seal, history.records, history.seal,
	CASE WHEN coalesce(length(history.records), 0) = 0 THEN EXISTS (
		SELECT 1 FROM run INDEXED BY run_by_revision
		WHERE run.revision_id = chain.id AND run.id <= :newest AND coalesce(run.dirty, 0) NOT IN (2, 6)) ELSE 0 END
FROM chain CROSS JOIN revision ON revision.id = chain.id
	LEFT JOIN history ON history.revision_id = chain.id;
