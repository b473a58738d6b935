-- Sets a damaged run aside: nothing but the check of the store reads it. A removed one stays removed, too.
UPDATE run SET dirty = CASE WHEN dirty IN (4, 5, 6) THEN 6 ELSE 2 END WHERE id = :id;
