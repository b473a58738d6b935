-- The hash of a run that is no longer one of this commit and this series, or is set aside.
SELECT hash FROM run
WHERE id = :id AND (revision_id IS NOT :revision OR series_id IS NOT :series OR dirty IS NOT 0);
