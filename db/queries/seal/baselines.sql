-- All named commits with their seals.
SELECT name, oid, set_at, pinned, seal FROM baseline;
