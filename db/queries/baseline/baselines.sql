-- All named commits, sorted by name.
SELECT name, oid, set_at, pinned FROM baseline ORDER BY name;
