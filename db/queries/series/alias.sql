-- Calls a series otherwise in the temporary table that readers have in the place of `series` (db/store/series.c).
UPDATE temp.series SET key = :key, kernel = :kernel, variant = :variant WHERE id = :id;
