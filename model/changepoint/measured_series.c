/* One value per commit. */
#include "model/changepoint/measured_series.h"

#include "model/changepoint/detect.h"

double *measured_series_values(struct arena *arena, const struct measured_series *series)
{
	double *values = arena_array(arena, series->count, sizeof *values);
	for (size_t i = 0; i < series->count; i++)
		values[i] =
			noise_location(arena, series->commits[i].values, series->commits[i].count);
	return values;
}
