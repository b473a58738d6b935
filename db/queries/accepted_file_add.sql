-- A file, once.
INSERT INTO accepted_file (hash, bytes) VALUES (:hash, :bytes) ON CONFLICT (hash) DO NOTHING;
