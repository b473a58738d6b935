-- How many runs of an edit are stored, found without the index.
SELECT count(1) FROM run NOT INDEXED WHERE lower(hex(hash)) IN (SELECT run FROM edited_run WHERE edit_id = :edit_id);
