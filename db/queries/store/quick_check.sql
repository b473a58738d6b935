-- Checks the file: one row "ok", or one row per fault.
PRAGMA quick_check;
