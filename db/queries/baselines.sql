-- Every pinned commit, by name.
SELECT name, oid, set_at FROM baseline ORDER BY name;
