-- Adds an edit, or says that it was undone.
INSERT INTO edit (id, kind, time, undone_at, reason, seal)
VALUES (:id, :kind, :time, :undone_at, :reason, :seal)
ON CONFLICT (id) DO UPDATE SET undone_at = excluded.undone_at, seal = excluded.seal;
