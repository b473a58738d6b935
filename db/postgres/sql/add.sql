-- Adds a pack, once.
INSERT INTO rooflog.pack (place, id, runs, lines) VALUES ($1, $2, $3, $4) ON CONFLICT (place, id) DO NOTHING;
