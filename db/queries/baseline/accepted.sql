-- The acceptance file in the tree of a commit: whether there is one, its hash and its bytes.
SELECT accepted.file_id IS NOT NULL, accepted_file.hash, accepted_file.bytes
FROM accepted LEFT JOIN accepted_file ON accepted_file.id = accepted.file_id
WHERE accepted.oid = :oid;
