-- Runs that are stored more than once, as mend/twins.sql finds commits.
SELECT first, id, lower(hex(hash))
FROM (SELECT min(id) OVER (PARTITION BY hash) AS first, id, hash FROM run NOT INDEXED)
WHERE id > first;
