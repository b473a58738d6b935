-- One row per broken reference: table, rowid (NULL if it has none), the table referred to, constraint.
PRAGMA foreign_key_check;
