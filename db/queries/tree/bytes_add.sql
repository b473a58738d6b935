-- Adds a file unless it exists. The update repairs damaged bytes.
INSERT INTO committed_file (hash, bytes) VALUES (:hash, :bytes)
ON CONFLICT (hash) DO UPDATE SET bytes = excluded.bytes;
