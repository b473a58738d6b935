-- Is the file sound? One row "ok", or one row for each fault.
PRAGMA quick_check;
