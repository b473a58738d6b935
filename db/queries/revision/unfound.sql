-- A commit that the index does not find under its id.
SELECT id, oid
FROM revision AS stored NOT INDEXED
WHERE NOT EXISTS (SELECT 1 FROM revision AS found WHERE found.oid = stored.oid AND +found.id = stored.id)
LIMIT 1;
