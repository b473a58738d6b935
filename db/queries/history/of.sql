-- The runs of a commit that may serve as history.
SELECT records, seal FROM history WHERE revision_id = :revision;
