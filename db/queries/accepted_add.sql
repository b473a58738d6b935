-- The tree of a commit has the file of this hash, or none. What a commit holds never changes.
INSERT INTO accepted (oid, file_id)
VALUES (:oid, (SELECT id FROM accepted_file WHERE hash = :hash))
ON CONFLICT (oid) DO NOTHING;
