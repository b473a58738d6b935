-- The rows of all commits, for the check of the store.
SELECT records FROM history WHERE revision_id <> 0;
