-- The lowest first-parent position of a commit since this time; no row when there is none. The times
-- of commits do not grow along a chain: a clock may have been wrong.
SELECT position FROM revision WHERE time >= :since ORDER BY position LIMIT 1;
