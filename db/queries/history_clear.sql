-- The blocks are built anew.
DELETE FROM history;
