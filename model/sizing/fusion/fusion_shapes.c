/* Times of shapes that were not measured. */
#include "model/sizing/fusion/fusion_shapes.h"

#include "base/text/text.h"

/* should_fuse() skips smaller tensors (min_tensor_elements). */
static const double least_elements = 1024;

/* --- the question --- */

enum { BATCH, SEQUENCE, HIDDEN, NAMES };

static int read_named(struct span rest, struct fusion_wanted *wanted)
{
	static const char *const names[NAMES] = {"b", "s", "h"};
	wanted->named = true;
	wanted->shape = (struct fusion_shape){.rank = NAMES};
	while (rest.len) {
		struct span value = span_trim(span_cut(&rest, ','));
		struct span name = span_trim(span_cut(&value, '='));
		double size;
		size_t at = 0;
		while (at < NAMES && !span_is(name, names[at]))
			at++;
		if (at == NAMES || wanted->shape.sizes[at] != 0 ||
		    !span_number(span_trim(value), &size) || size < 1 || size != floor(size))
			return -1;
		wanted->shape.sizes[at] = size;
	}
	return 0;
}

int fusion_wanted_of(const char *text, struct fusion_wanted *wanted, struct error *err)
{
	struct span rest = span_trim(span_of(text));
	char list[160];
	bool read = false;
	*wanted = (struct fusion_wanted){.named = false};
	if (span_find(rest, "=") < rest.len) {
		read = read_named(rest, wanted) == 0;
	} else if (rest.len && rest.len < sizeof list - 2) {
		bool bare = rest.ptr[0] != '[';
		snprintf(list, sizeof list, "%s%.*s%s", bare ? "[" : "", (int)rest.len, rest.ptr,
			 bare ? "]" : "");
		for (char *c = list; bare && *c; c++)
			*c = *c == 'x' ? ',' : *c;
		wanted->shape = fusion_shape_of(list);
		read = wanted->shape.rank > 0;
	}
	return read ? 0
		    : error_set(err, ERR_USAGE,
				"--shape \"%.80s\": expected sizes such as 1x300x4096, \"[1, 300, "
				"4096]\" or b=1,s=300,h=4096",
				text);
}

/* Fills in the sizes without a name that all works agree on; 0, or -1 and which one is open. */
static int complete(const struct fusion_works *works, size_t start, size_t end,
		    struct fusion_shape *shape, size_t *open)
{
	for (size_t d = 0; d < shape->rank; d++) {
		double only = 0;
		if (shape->sizes[d] > 0)
			continue;
		for (size_t i = start; i < end; i++) {
			const struct fusion_shape *measured = &works->items[i].sizes;
			if (measured->rank != shape->rank)
				continue;
			*open = d;
			if (only > 0 && only != measured->sizes[d])
				return -1;
			only = measured->sizes[d];
		}
		if (!(only > 0))
			return -1;
		shape->sizes[d] = only;
	}
	return 0;
}

/* --- one side --- */

struct table {
	const struct fusion_work *items;
	size_t count;
	int side;
};

static bool is_point(const struct table *table, size_t index, size_t rank)
{
	return table->items[index].sizes.rank == rank &&
	       !isnan(table->items[index].times[table->side].time);
}

static const struct fusion_work *point_at(const struct table *table,
					  const struct fusion_shape *shape)
{
	for (size_t i = 0; i < table->count; i++)
		if (is_point(table, i, shape->rank) &&
		    fusion_shape_compare(&table->items[i].sizes, shape) == 0)
			return &table->items[i];
	return NULL;
}

/* The measured sizes around the wanted one in a dimension, moved to the ends if it is outside. */
static void around(const struct table *table, const struct fusion_shape *wanted, size_t d,
		   double cell[2])
{
	double least = INFINITY, most = -INFINITY;
	cell[0] = -INFINITY;
	cell[1] = INFINITY;
	for (size_t i = 0; i < table->count; i++) {
		double size = table->items[i].sizes.sizes[d];
		if (!is_point(table, i, wanted->rank))
			continue;
		least = fmin(least, size);
		most = fmax(most, size);
		if (size <= wanted->sizes[d])
			cell[0] = fmax(cell[0], size);
		if (size >= wanted->sizes[d])
			cell[1] = fmin(cell[1], size);
	}
	cell[0] = isinf(cell[0]) ? least : cell[0];
	cell[1] = isinf(cell[1]) ? most : cell[1];
}

static void add_neighbour(struct fusion_derived *derived, const struct fusion_work *work,
			  double weight)
{
	if (weight > 0)
		derived->neighbours[derived->count++] = (struct fusion_neighbour){work, weight};
}

/* Whether all corners of the cell are measured; adds those with a weight. */
static bool add_corners(const struct table *table, const struct fusion_shape *wanted,
			struct fusion_derived *derived)
{
	double cells[FUSION_RANK][2], shares[FUSION_RANK];
	derived->source = FUSION_BY_INTERPOLATION;
	for (size_t d = 0; d < wanted->rank; d++) {
		double width;
		around(table, wanted, d, cells[d]);
		width = cells[d][1] - cells[d][0];
		shares[d] = width > 0 ? (wanted->sizes[d] - cells[d][0]) / width : 0;
		shares[d] = fmin(fmax(shares[d], 0), 1);
		if (wanted->sizes[d] < cells[d][0] || wanted->sizes[d] > cells[d][1])
			derived->source = FUSION_BY_EXTRAPOLATION;
	}
	for (unsigned corner = 0; corner < 1u << wanted->rank; corner++) {
		struct fusion_shape shape = *wanted;
		double weight = 1;
		for (size_t d = 0; d < wanted->rank; d++) {
			bool high = corner >> d & 1;
			shape.sizes[d] = cells[d][high];
			weight *= high ? shares[d] : 1 - shares[d];
		}
		const struct fusion_work *work = point_at(table, &shape);
		if (!work) {
			derived->count = 0;
			return false;
		}
		add_neighbour(derived, work, weight);
	}
	return true;
}

static void add_nearest(const struct table *table, const struct fusion_shape *wanted,
			struct fusion_derived *derived)
{
	const struct fusion_work *best = NULL;
	double least = INFINITY;
	for (size_t i = 0; i < table->count; i++) {
		double distance = 0;
		if (!is_point(table, i, wanted->rank))
			continue;
		for (size_t d = 0; d < wanted->rank; d++)
			distance += fabs(table->items[i].sizes.sizes[d] - wanted->sizes[d]);
		if (distance < least) {
			least = distance;
			best = &table->items[i];
		}
	}
	derived->source = best ? FUSION_BY_NEAREST : FUSION_BY_NOTHING;
	if (best)
		add_neighbour(derived, best, 1);
}

static void derive(struct arena *arena, const struct table *table,
		   const struct fusion_shape *wanted, struct fusion_derived *derived)
{
	const struct fusion_work *own = point_at(table, wanted);
	struct fusion_reader_time sum = {.repeats = 0};
	*derived = (struct fusion_derived){
		.source = FUSION_BY_MEASURING,
		.neighbours = arena_array(arena, 1u << wanted->rank, sizeof *derived->neighbours)};
	if (own)
		add_neighbour(derived, own, 1);
	else if (!add_corners(table, wanted, derived))
		add_nearest(table, wanted, derived);
	for (size_t i = 0; i < derived->count; i++) {
		const struct fusion_neighbour *one = &derived->neighbours[i];
		const struct fusion_reader_time *time = &one->work->times[table->side];
		sum.time += one->weight * time->time;
		sum.lowest += one->weight * time->lowest;
		sum.highest += one->weight * time->highest;
		sum.repeats = i == 0 || time->repeats < sum.repeats ? time->repeats : sum.repeats;
		if (time->provenance > sum.provenance)
			sum.provenance = time->provenance;
	}
	if (derived->count == 0)
		sum = (struct fusion_reader_time){.time = NAN, .lowest = NAN, .highest = NAN};
	derived->time = sum;
}

struct fusion_answer fusion_answer_of(struct arena *arena, const struct fusion_works *works,
				      size_t start, size_t end, const struct fusion_wanted *wanted)
{
	struct fusion_answer answer = {.group = &works->items[start], .shape = wanted->shape};
	if (wanted->named && complete(works, start, end, &answer.shape, &answer.ambiguous) < 0) {
		answer.shape.rank = 0;
		return answer;
	}
	for (int side = 0; side < 2; side++) {
		const struct table table = {works->items + start, end - start, side};
		derive(arena, &table, &answer.shape, &answer.sides[side]);
	}
	return answer;
}

void fusion_answer_decide(struct fusion_answer *answer, double margin)
{
	const struct fusion_reader_time *unfused = &answer->sides[FUSION_SIDE_UNFUSED].time;
	const struct fusion_reader_time *fused = &answer->sides[FUSION_SIDE_FUSED].time;
	double elements = 1;
	for (size_t d = 0; d < answer->shape.rank; d++)
		elements *= answer->shape.sizes[d];
	if (answer->shape.rank == 0)
		return;
	answer->judgement = fusion_judge(unfused, fused, margin);
	answer->too_small = elements < least_elements;
	answer->fuses = !answer->too_small && unfused->time > fused->time * (1 + margin);
}
