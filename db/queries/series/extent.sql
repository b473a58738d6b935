-- The number of series, and the highest rowids of series and commits (0: none).
SELECT count(1), coalesce(max(id), 0), (SELECT coalesce(max(id), 0) FROM revision) FROM series;
