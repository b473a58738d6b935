-- Commits that are stored more than once, found without the index: the first row, another one, and the id.
SELECT first, id, oid
FROM (SELECT min(id) OVER (PARTITION BY oid) AS first, id, oid FROM revision NOT INDEXED)
WHERE id > first;
