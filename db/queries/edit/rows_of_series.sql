-- The runs of a series that are not set aside, and their state; removed ones, too.
SELECT id, dirty FROM run WHERE series_id = :series_id AND coalesce(dirty, 0) NOT IN (2, 6);
