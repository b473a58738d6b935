-- Whether a series has runs of a clean work tree at commits below a first-parent position.
SELECT EXISTS (
	SELECT 1 FROM series
		JOIN run ON run.series_id = series.id
		JOIN revision ON revision.id = run.revision_id
	WHERE series.key = :key AND run.dirty = 0 AND revision.position < :position
);
