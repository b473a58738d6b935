-- Gives one row of a file to the commits that have another one.
UPDATE tree_file SET file_id = :to WHERE file_id = :from;
