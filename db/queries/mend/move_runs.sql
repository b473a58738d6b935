-- Moves the runs of one row of a commit to another one, found without the index.
UPDATE run NOT INDEXED SET revision_id = :to WHERE revision_id = :from;
