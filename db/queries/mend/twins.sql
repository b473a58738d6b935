-- Commits that are stored twice, found without the index: the first row, the second one, and the id.
SELECT min(id), max(id), oid FROM revision NOT INDEXED GROUP BY oid HAVING min(id) < max(id);
