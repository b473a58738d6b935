-- How many series there are, and the highest numbers that series and commits have.
SELECT count(*), coalesce(max(id), 0), (SELECT coalesce(max(id), 0) FROM revision) FROM series;
