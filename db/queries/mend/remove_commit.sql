-- Removes a row of a commit.
DELETE FROM revision WHERE id = :id;
