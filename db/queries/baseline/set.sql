-- Gives a commit a name, or moves the name to it.
INSERT INTO baseline (name, oid, set_at, pinned, seal)
VALUES (:name, :oid, :set_at, :pinned, :seal)
ON CONFLICT (name) DO UPDATE SET
	oid = excluded.oid,
	set_at = excluded.set_at,
	pinned = excluded.pinned,
	seal = excluded.seal;
