-- The block that grows, its bytes, those of all blocks, and the newest run of the store (0: none).
SELECT coalesce((SELECT max(id) FROM history), 0),
	coalesce((SELECT length(records) FROM history ORDER BY id DESC LIMIT 1), 0),
	coalesce((SELECT sum(length(records)) FROM history), 0),
	coalesce((SELECT max(id) FROM run), 0);
