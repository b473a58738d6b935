-- The file at a path in the tree of a commit: the row's identity, the file's hash and bytes (NULL: the tree has no
-- such file).
SELECT tree_file.oid, tree_file.path, committed_file.hash, tree_file.seal, tree_file.file_id IS NOT NULL,
	committed_file.bytes
FROM tree_file LEFT JOIN committed_file ON committed_file.id = tree_file.file_id
WHERE tree_file.oid = :oid AND tree_file.path = :path;
