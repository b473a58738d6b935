-- Sets a damaged run aside: nothing but the check of the store reads it.
UPDATE run SET dirty = 2 WHERE id = :id;
