-- The rowid of the commit with this full id.
SELECT id FROM revision WHERE oid = :oid;
