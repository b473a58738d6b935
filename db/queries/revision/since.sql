-- The lowest first-parent position of the commits since a time; no row if there are none. Times do not always
-- increase along a chain, because clocks may have been wrong.
SELECT position FROM revision WHERE time >= :since ORDER BY position LIMIT 1;
