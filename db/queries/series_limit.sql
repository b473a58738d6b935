-- How many series there are, and the highest number that one has.
SELECT count(*), coalesce(max(id), 0) FROM series;
