-- Removes the row of a commit.
DELETE FROM history WHERE revision_id = :revision;
