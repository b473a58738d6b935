-- Gives a commit a name, or moves the name to it.
INSERT INTO baseline (name, oid, set_at, pinned) VALUES (:name, :oid, :set_at, :pinned)
ON CONFLICT (name) DO UPDATE SET
	oid = excluded.oid,
	set_at = excluded.set_at,
	pinned = excluded.pinned;
