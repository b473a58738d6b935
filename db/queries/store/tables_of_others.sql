-- The number of tables in a file whose application id is not that of rooflog.
SELECT count(*) FROM sqlite_schema;
