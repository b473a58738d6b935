-- Removes a series unless runs belong to it, those that are set aside included.
DELETE FROM series WHERE id = :id AND NOT EXISTS (SELECT 1 FROM run WHERE series_id = :id);
