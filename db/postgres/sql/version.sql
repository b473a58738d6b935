-- The version of the schema, and the name of the database.
SELECT version, origin FROM rooflog.version ORDER BY version DESC LIMIT 1;
