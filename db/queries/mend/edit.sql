-- Puts back an edit that was changed.
UPDATE edit SET id = :id, kind = :kind, time = :time, undone_at = :undone_at, reason = :reason, seal = :seal
WHERE id = :changed AND kind = :second;
