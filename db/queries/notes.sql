-- The notes of many runs (a JSON array of their ids), each with the place of its run in that
-- array, in the order in which they were added.
SELECT wanted.key, note.category, note.message
FROM json_each(:ids) AS wanted CROSS JOIN note ON note.run_id = wanted.value
ORDER BY wanted.key, note.ordinal;
