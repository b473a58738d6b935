-- An edit.
SELECT id, kind, time, undone_at, reason, seal FROM edit WHERE id = :id;
