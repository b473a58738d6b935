-- The rows of all commits, for the check of the store.
SELECT revision_id, records, seal FROM history WHERE revision_id <> 0;
