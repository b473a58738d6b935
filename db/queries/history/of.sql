-- The runs of a commit that may serve as history.
SELECT records FROM history WHERE revision_id = :revision;
