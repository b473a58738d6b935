-- A series that the index does not find under its key.
SELECT id, key
FROM main.series AS stored NOT INDEXED
WHERE NOT EXISTS (SELECT 1 FROM main.series AS found WHERE found.key = stored.key AND +found.id = stored.id)
LIMIT 1;
