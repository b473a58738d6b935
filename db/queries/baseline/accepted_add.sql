-- The tree of a commit has the file of this hash, or none. What a commit holds never
-- changes, but a row may be damaged.
INSERT INTO accepted (oid, file_id)
VALUES (:oid, (SELECT id FROM accepted_file WHERE hash = :hash))
ON CONFLICT (oid) DO UPDATE SET file_id = excluded.file_id;
