-- Records that the tree of a commit has the file with this hash, or no file (NULL). The content of a commit
-- never changes; the update repairs a damaged row.
INSERT INTO accepted (oid, file_id)
VALUES (:oid, (SELECT id FROM accepted_file WHERE hash = :hash))
ON CONFLICT (oid) DO UPDATE SET file_id = excluded.file_id;
