-- The runs of a commit up to :newest that are not set aside, from the index alone.
SELECT id, series_id, dirty
FROM run INDEXED BY run_by_revision
WHERE revision_id = :revision AND id <= :newest AND coalesce(dirty, 0) NOT IN (2, 6);
