-- All rows of history with their seals.
SELECT revision_id, records, seal FROM history;
