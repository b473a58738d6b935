-- How many tables does a file have whose application id is not ours?
SELECT count(*) FROM sqlite_schema;
