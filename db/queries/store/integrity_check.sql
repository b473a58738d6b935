-- Checks the file, tables against their indexes included: one row "ok", or one row per fault.
PRAGMA integrity_check;
