-- The series of a run: with the same key and, column by column, the same identity.
SELECT id
FROM series
WHERE key = :key AND kernel IS :kernel AND variant IS :variant AND dtype IS :dtype
	AND params = :params AND device IS :device AND instance_type IS :instance_type
	AND cores = :cores AND tool IS :tool;
