-- The history is built anew.
DELETE FROM history;
