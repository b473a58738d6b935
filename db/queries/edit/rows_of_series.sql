-- The runs of a series that are not set aside, and their state; removed ones, too. Found without the index: where that
-- is damaged, an edit would leave out the runs that it misses.
SELECT id, dirty FROM run NOT INDEXED
WHERE series_id = :series_id AND coalesce(dirty, 0) NOT IN (2, 6)
ORDER BY revision_id, dirty, id;
