-- The number of the commit with this full oid.
SELECT id FROM revision WHERE oid = :oid;
