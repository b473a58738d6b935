-- All objects of the file, sorted by kind and name.
SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name;
