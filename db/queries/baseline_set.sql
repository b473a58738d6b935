-- Pins a commit under a name, or moves the pin.
INSERT INTO baseline (name, oid, set_at) VALUES (:name, :oid, :set_at)
ON CONFLICT (name) DO UPDATE SET oid = excluded.oid, set_at = excluded.set_at;
