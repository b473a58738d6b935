-- All edits, newest first.
SELECT id, kind, time, undone_at, reason, seal FROM edit ORDER BY id DESC;
