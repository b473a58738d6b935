-- The commit of the run of this content that was stored last, but for runs of one commit. The
-- index on the first bytes of content ends in run.id, so the first row that fits is the answer.
SELECT revision.oid
FROM run CROSS JOIN revision ON revision.id = run.revision_id
WHERE substr(run.content, 1, 8) = substr(:content, 1, 8) AND run.content = :content
	AND revision.oid <> :not_oid
ORDER BY run.id DESC
LIMIT 1;
