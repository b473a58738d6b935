-- Records that the tree of a commit has the file with this hash, or no file (NULL). The content of a commit
-- never changes; the update repairs a damaged row.
INSERT INTO tree_file (oid, path, file_id, seal)
VALUES (:oid, :path, (SELECT id FROM committed_file WHERE hash = :hash), :seal)
ON CONFLICT (oid, path) DO UPDATE SET file_id = excluded.file_id, seal = excluded.seal;
