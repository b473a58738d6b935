-- Rows that point to nothing: table, rowid (NULL without one), the table pointed to, constraint.
PRAGMA foreign_key_check;
