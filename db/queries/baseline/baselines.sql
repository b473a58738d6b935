-- All named commits, sorted by name.
SELECT name, oid, set_at, pinned, seal FROM baseline ORDER BY name;
