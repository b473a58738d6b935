-- Adds an edit, says that it was undone, or makes it again.
INSERT INTO edit (id, kind, time, undone_at, reason, seal)
VALUES (:id, :kind, :time, :undone_at, :reason, :seal)
ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, time = excluded.time, undone_at = excluded.undone_at,
	reason = excluded.reason, seal = excluded.seal;
