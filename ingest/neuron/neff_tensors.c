/* The two JSON files of each graph. They are small compared with the program, so each is parsed
 * into a tree, one at a time. */
#include "ingest/neuron/neff_tensors.h"

#include "base/json/json.h"
#include "base/base.h"
#include "ingest/collect/collect.h"

enum { variable_limit = 1 << 16, tensor_limit = 4096, dimension_limit = 16, sum_count = 3 };

/* The shape of a tensor. The name is that of the tensor or of the file that holds it. */
struct neff_shape {
	const char *name;
	const char *text; /* "[128 512]" */
};

enum role { ROLE_INPUT, ROLE_OUTPUT, ROLE_WEIGHT, ROLE_LIMIT };

/* The types in a NEFF and the roles that profiles use for them. */
static const struct {
	const char *type, *role;
} roles[ROLE_LIMIT] = {
	[ROLE_INPUT] = {"input", "IN"},
	[ROLE_OUTPUT] = {"output", "OUT"},
	[ROLE_WEIGHT] = {"file", "WEIGHT"},
};

static const char *role_of(const struct json *variable)
{
	const char *type = json_text(variable, "type", NULL);
	for (size_t i = 0; i < ROLE_LIMIT; i++)
		if (span_text_eq(type, roles[i].type))
			return roles[i].role;
	return NULL;
}

static double size_of(const struct json *variable)
{
	double size = json_number(variable, "size", NAN);
	return size >= 0 && size == floor(size) ? size : NAN;
}

static const char *copy_text(struct neff_tensors *tensors, const char *text)
{
	return text ? bounded_text_of(tensors->arena, span_of(text)) : NULL;
}

static void add_variable(struct neff_tensors *tensors, const struct json *variable)
{
	struct arena *arena = tensors->arena;
	const char *role = role_of(variable);
	if (!role)
		return;
	if (tensors->count == variable_limit) {
		tensors->lost = true;
		return;
	}
	tensors->items = arena_grow(arena, tensors->items, tensors->count, &tensors->capacity,
				    sizeof *tensors->items);
	tensors->files = arena_grow(arena, tensors->files, tensors->count, &tensors->file_capacity,
				    sizeof *tensors->files);
	tensors->files[tensors->count] = copy_text(tensors, json_text(variable, "file_name", NULL));
	tensors->items[tensors->count++] =
		(struct run_tensor){.name = copy_text(tensors, variable->name),
				    .role = role,
				    .bytes = size_of(variable)};
}

/* "[128 512]"; NULL if it is not a list of sizes. */
static const char *shape_text(struct arena *arena, const struct json *shape)
{
	struct strbuf sb = {0};
	bool sound = shape && shape->type == JSON_ARRAY && shape->count <= dimension_limit;
	strbuf_addch(&sb, '[');
	for (const struct json *one = sound ? shape->first : NULL; one; one = one->next) {
		sound &= one->type == JSON_NUMBER && one->number >= 0 &&
			 one->number == floor(one->number);
		strbuf_addf(&sb, "%s%.0f", one == shape->first ? "" : " ", one->number);
	}
	strbuf_addch(&sb, ']');
	const char *text = strbuf_into(&sb, arena);
	return sound ? text : NULL;
}

static void add_shape(struct neff_tensors *tensors, const char *name, const char *text)
{
	*arena_next(tensors->arena, tensors->shapes, tensors->shape_count,
		    tensors->shape_capacity) = (struct neff_shape){copy_text(tensors, name), text};
}

static void add_shapes(struct neff_tensors *tensors, const struct json *entry)
{
	const char *file = json_text(entry, "tf_file", NULL);
	if (tensors->shape_count >= 2 * variable_limit)
		return;
	const char *text = shape_text(tensors->arena, json_get(entry, "tf_shape"));
	if (!text)
		return;
	add_shape(tensors, entry->name, text);
	if (file)
		add_shape(tensors, file, text);
}

int neff_tensors_read(struct neff_tensors *tensors, const char *name, struct span bytes,
		      struct error *err)
{
	struct arena scratch = {0};
	bool is_definition = span_ends(span_of(name), "/def.json");
	if (!is_definition && !span_ends(span_of(name), "/tensor_map.json"))
		return 0;
	const struct json *document = json_parse(&scratch, bytes, err);
	if (!document) {
		arena_free(&scratch);
		return error_prefix(err, "%s", name);
	}
	const struct json *list = is_definition ? json_get(document, "var") : document;
	bool is_list = list && list->type == JSON_OBJECT;
	for (const struct json *one = is_list ? list->first : NULL; one; one = one->next)
		if (is_definition)
			add_variable(tensors, one);
		else
			add_shapes(tensors, one);
	arena_free(&scratch);
	return 0;
}

/* --- to the companion --- */

static int by_name(const void *a, const void *b)
{
	const struct neff_shape *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order ? order : strcmp(x->text, y->text);
}

static const char *find_shape(const struct neff_tensors *tensors, const char *name)
{
	const struct neff_shape key = {name, ""};
	if (!name)
		return NULL;
	size_t at =
		array_lower_bound(&key, tensors->shapes, tensors->shape_count, sizeof key, by_name);
	bool found = at < tensors->shape_count && strcmp(tensors->shapes[at].name, name) == 0;
	return found ? tensors->shapes[at].text : NULL;
}

/* Sorts tensors as a profile lists them. */
static int by_role(const void *a, const void *b)
{
	const struct run_tensor *x = a, *y = b;
	int order = strcmp(x->role, y->role);
	order = order ? order : strcmp(x->name, y->name);
	return order ? order : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Merges items of the same name and role. If graphs disagree about a size, it becomes unknown.
 * Requires items sorted by_role(). */
static void merge_repeated(struct neff_tensors *tensors)
{
	size_t count = 0;
	for (size_t i = 0; i < tensors->count; i++) {
		struct run_tensor *last = count ? &tensors->items[count - 1] : NULL;
		struct run_tensor own = tensors->items[i];
		if (!last || strcmp(last->role, own.role) != 0 || strcmp(last->name, own.name) != 0)
			tensors->items[count++] = own;
		else if (last->bytes != own.bytes)
			last->bytes = NAN;
	}
	tensors->count = count;
}

static void set_value(struct companion *companion, enum metric metric, double bytes)
{
	if (isnan(bytes))
		return;
	assert(companion->value_count < sum_count);
	companion->values[companion->value_count++] =
		(struct companion_value){metric, {bytes, PROVENANCE_REPORTED}};
}

static void set_sums(const struct neff_tensors *tensors, struct companion *companion)
{
	double sums[ROLE_LIMIT] = {0};
	for (size_t i = 0; i < tensors->count; i++)
		for (size_t k = 0; k < ROLE_LIMIT; k++)
			if (strcmp(tensors->items[i].role, roles[k].role) == 0)
				sums[k] += tensors->items[i].bytes;
	double read = sums[ROLE_INPUT] + sums[ROLE_WEIGHT];
	companion->values = arena_array(tensors->arena, sum_count, sizeof *companion->values);
	set_value(companion, METRIC_INPUTS_WEIGHTS_BYTES, read);
	set_value(companion, METRIC_INPUTS_OUTPUTS_WEIGHTS_BYTES, read + sums[ROLE_OUTPUT]);
	set_value(companion, METRIC_WEIGHT_BYTES, sums[ROLE_WEIGHT]);
}

void neff_tensors_give(struct neff_tensors *tensors, struct companion *companion)
{
	if (tensors->lost || tensors->count == 0)
		return;
	array_sort(tensors->shapes, tensors->shape_count, sizeof *tensors->shapes, by_name);
	for (size_t i = 0; i < tensors->count; i++) {
		const char *shape = find_shape(tensors, tensors->files[i]);
		tensors->items[i].shape =
			shape ? shape : find_shape(tensors, tensors->items[i].name);
	}
	qsort(tensors->items, tensors->count, sizeof *tensors->items, by_role);
	merge_repeated(tensors);
	set_sums(tensors, companion);
	companion->tensors = tensors->items;
	companion->tensor_count = tensors->count < tensor_limit ? tensors->count : tensor_limit;
}
