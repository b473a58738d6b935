-- A file, once, and whole again where it was damaged.
INSERT INTO accepted_file (hash, bytes) VALUES (:hash, :bytes)
ON CONFLICT (hash) DO UPDATE SET bytes = excluded.bytes;
