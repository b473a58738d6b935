-- The project of a place.
SELECT name FROM rooflog.project WHERE place = $1;
