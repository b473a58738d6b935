-- All commits with their seals.
SELECT id, oid, tree, patch_id, parent, parents, position, time, subject, seal FROM revision;
