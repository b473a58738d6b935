-- Removes a row of a file of commits.
DELETE FROM committed_file WHERE id = :id;
