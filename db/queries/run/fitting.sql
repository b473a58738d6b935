-- The number of runs in matching series, counted up to :most.
SELECT count(*)
FROM (
	SELECT 1
	FROM series CROSS JOIN run ON run.series_id = series.id
	WHERE coalesce(run.dirty, 0) NOT IN (2, 4, 5, 6) AND (:series IS NULL OR series.key = :series)
		AND (:kernel IS NULL OR coalesce(series.kernel, '') GLOB :kernel)
		AND (:variant IS NULL OR coalesce(series.variant, '') GLOB :variant)
		AND (:dtype IS NULL OR coalesce(series.dtype, '') GLOB :dtype)
		AND (:device IS NULL OR coalesce(series.device, '') GLOB :device)
	LIMIT :most
);
