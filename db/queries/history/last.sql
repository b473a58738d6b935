-- The newest run that the history was made from, as its row 0 has it, and that of the store.
SELECT (SELECT records FROM history WHERE revision_id = 0), coalesce((SELECT max(id) FROM run), 0);
