-- All edits with their seals.
SELECT id, kind, time, undone_at, reason, seal FROM edit;
