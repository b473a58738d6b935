-- Names the project of a place, once.
INSERT INTO rooflog.project (place, name) VALUES ($1, $2) ON CONFLICT (place) DO NOTHING;
