-- What the trees of commits have, with seals.
SELECT oid, path, committed_file.hash, seal
FROM tree_file LEFT JOIN committed_file ON committed_file.id = tree_file.file_id;
