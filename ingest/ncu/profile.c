/* Finds launches by identity, stores cells until the decimal sign is known, adds rules and lines of
 * the log. */
#include "ingest/ncu/profile.h"

#include "base/hash/hash.h"
#include "base/base.h"
#include "base/text/text.h"
#include "ingest/table/tables.h"

struct ncu_cell {
	struct ncu_launch *launch;
	const struct ncu_metric *metric; /* NULL: the entry belongs to `tensor` */
	struct ncu_tensor *tensor;
	struct ncu_entry entry;
};

/* --- text --- */

const char *ncu_one_line(struct arena *arena, struct span text)
{
	struct strbuf sb = {0};
	if (utf8_valid_prefix(text) < text.len)
		return "";
	for (size_t i = 0; i < text.len; i++) {
		bool blank = (unsigned char)text.ptr[i] <= ' ' || text.ptr[i] == 0x7f;
		if (!blank)
			strbuf_addch(&sb, text.ptr[i]);
		else if (sb.len && sb.buf[sb.len - 1] != ' ')
			strbuf_addch(&sb, ' ');
	}
	if (sb.len && sb.buf[sb.len - 1] == ' ')
		strbuf_truncate(&sb, sb.len - 1);
	return strbuf_into(&sb, arena);
}

/* --- launches --- */

static bool same_identity(const struct ncu_identity *a, const struct ncu_identity *b)
{
	return a->block == b->block && span_eq(a->id, b->id) &&
	       span_eq(a->process_id, b->process_id) && span_eq(a->symbol, b->symbol) &&
	       span_eq(a->grid, b->grid) && span_eq(a->block_size, b->block_size) &&
	       span_eq(a->device, b->device);
}

static uint64_t identity_hash(const struct ncu_identity *identity)
{
	const struct span parts[] = {identity->id,   identity->process_id, identity->symbol,
				     identity->grid, identity->block_size, identity->device};
	uint64_t hash = identity->block;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		hash = hash * 0x9e3779b97f4a7c15u + table_hash_of(parts[i]);
	return hash;
}

static uint32_t *slot_of(const struct ncu_profile *profile, const struct ncu_identity *identity,
			 uint64_t hash)
{
	/* The search ends because make_room() leaves free slots. */
	assert((profile->slot_count & (profile->slot_count - 1)) == 0 &&
	       profile->count < profile->slot_count);
	size_t at = (size_t)(hash >> 20) & (profile->slot_count - 1);
	for (;; at = (at + 1) & (profile->slot_count - 1)) {
		uint32_t *slot = &profile->slots[at];
		if (!*slot)
			return slot;
		const struct ncu_launch *launch = profile->launches[*slot - 1];
		if (launch->hash == hash && same_identity(&launch->identity, identity))
			return slot;
	}
}

/* Keeps at most half of the slots in use. */
static void make_room(struct ncu_profile *profile)
{
	if (profile->slot_count && profile->count * 2 < profile->slot_count)
		return;
	profile->slot_count = profile->slot_count ? profile->slot_count * 2 : 64;
	profile->slots = arena_array(profile->arena, profile->slot_count, sizeof *profile->slots);
	for (size_t i = 0; i < profile->count; i++) {
		const struct ncu_launch *launch = profile->launches[i];
		*slot_of(profile, &launch->identity, launch->hash) = (uint32_t)i + 1;
	}
}

struct ncu_launch *ncu_profile_new(struct ncu_profile *profile, const struct ncu_identity *identity,
				   struct error *err)
{
	if (profile->count == ncu_launch_limit) {
		error_set(err, ERR_FORMAT,
			  "more than %d launches; profile fewer (--kernel-name, --launch-count)",
			  (int)ncu_launch_limit);
		return NULL;
	}
	struct ncu_launch *launch = arena_new(profile->arena, struct ncu_launch);
	launch->identity = *identity;
	launch->hash = identity_hash(identity);
	launch->invocations = NAN;
	launch->numbers = ncu_profile_unknowns(profile->arena);
	make_room(profile);
	*arena_next(profile->arena, profile->launches, profile->count, profile->capacity) = launch;
	*slot_of(profile, identity, launch->hash) = (uint32_t)profile->count;
	return launch;
}

struct ncu_launch *ncu_profile_launch(struct ncu_profile *profile,
				      const struct ncu_identity *identity, struct error *err)
{
	if (profile->count) {
		struct ncu_launch *last = profile->launches[profile->count - 1];
		if (same_identity(&last->identity, identity))
			return last;
		uint32_t slot = *slot_of(profile, identity, identity_hash(identity));
		if (slot)
			return profile->launches[slot - 1];
	}
	return ncu_profile_new(profile, identity, err);
}

/* --- cells --- */

static struct ncu_tensor *tensor_of(struct ncu_profile *profile, struct ncu_launch *launch,
				    struct span name)
{
	struct span types;
	bool per_cycle;
	if (!ncu_is_tensor_ops(name, &types, &per_cycle))
		return NULL;
	for (struct ncu_tensor *tensor = launch->tensor; tensor; tensor = tensor->next)
		if (tensor->per_cycle == per_cycle && span_eq(tensor->types, types))
			return tensor;
	if (launch->tensor_count == ncu_tensor_limit)
		return NULL;
	struct ncu_tensor *tensor = arena_new(profile->arena, struct ncu_tensor);
	*tensor = (struct ncu_tensor){launch->tensor, types, per_cycle, NAN};
	launch->tensor = tensor;
	launch->tensor_count++;
	return tensor;
}

static int cell_number(const struct ncu_profile *profile, const struct ncu_cell *cell, char decimal,
		       double *number, struct error *err)
{
	static const int base_exponents[NCU_KIND_COUNT] = {[NCU_SECONDS] = -9, [NCU_FRACTION] = -2};
	char name[lines_excerpt_size], text[lines_excerpt_size];
	const struct ncu_entry *entry = &cell->entry;
	const char *place = profile->is_report ? "result" : "line";
	enum ncu_kind wanted = cell->metric ? ncu_quantity_kind(cell->metric->quantity) : NCU_PLAIN;
	int exponent;
	enum ncu_kind kind = ncu_unit(entry->unit, &exponent);
	if (!entry->has_unit) {
		kind = wanted;
		exponent = base_exponents[wanted];
	}
	lines_excerpt(name, entry->name);
	if (!ncu_number(entry->text, decimal, exponent, number))
		return error_set(err, ERR_FORMAT, "%s %zu: %s is \"%s\", not a number", place,
				 entry->line, name, lines_excerpt(text, entry->text));
	if (isnan(*number))
		return 0;
	if (*number < 0)
		return error_set(err, ERR_FORMAT, "%s %zu: %s is negative", place, entry->line,
				 name);
	if (kind != wanted)
		return error_set(
			err, ERR_FORMAT, "%s %zu: %s has unit \"%s\", which does not fit %s", place,
			entry->line, name, lines_excerpt(text, entry->unit), ncu_kind_name(wanted));
	*number *= cell->metric ? cell->metric->factor : 1;
	return 0;
}

double *ncu_profile_unknowns(struct arena *arena)
{
	double *numbers = arena_array(arena, NCU_QUANTITY_COUNT, sizeof *numbers);
	for (size_t i = 0; i < NCU_QUANTITY_COUNT; i++)
		numbers[i] = NAN;
	return numbers;
}

static void store_number(struct ncu_profile *profile, const struct ncu_cell *cell, double number)
{
	struct ncu_launch *launch = cell->launch;
	if (!cell->metric) {
		cell->tensor->number = number;
		return;
	}
	enum ncu_quantity quantity = cell->metric->quantity;
	uint16_t source = ncu_metric_rank(cell->metric);
	if (launch->sources[quantity] && launch->sources[quantity] < source)
		return;
	launch->sources[quantity] = source;
	double **numbers[] = {[NCU_VALUE] = &launch->numbers,
			      [NCU_MINIMUM] = &launch->minimum,
			      [NCU_MAXIMUM] = &launch->maximum};
	double **which = numbers[cell->entry.which];
	*which = *which ? *which : ncu_profile_unknowns(profile->arena);
	(*which)[quantity] = number;
}

static int store(struct ncu_profile *profile, const struct ncu_cell *cell, char decimal,
		 struct error *err)
{
	double number;
	if (cell_number(profile, cell, decimal, &number, err) < 0)
		return -1;
	if (!isnan(number))
		store_number(profile, cell, number);
	return 0;
}

int ncu_profile_add(struct ncu_profile *profile, struct ncu_launch *launch,
		    const struct ncu_entry *entry, struct error *err)
{
	struct ncu_tensor *tensor = NULL;
	const struct ncu_metric *metric = ncu_metric_find(entry->section, entry->name, entry->unit);
	ncu_numerals_look(&profile->numerals, entry->text, entry->line);
	if (!metric && entry->which == NCU_VALUE)
		tensor = tensor_of(profile, launch, entry->name);
	if (!metric && !tensor)
		return 0;
	struct ncu_cell cell = {launch, metric, tensor, *entry};
	if (profile->is_report)
		return store(profile, &cell, '.', err);
	if (profile->cell_count == ncu_cell_limit)
		return error_set(err, ERR_FORMAT, "line %zu: more than %d values", entry->line,
				 (int)ncu_cell_limit);
	*arena_next(profile->arena, profile->cells, profile->cell_count, profile->cell_capacity) =
		cell;
	return 0;
}

int ncu_profile_finish(struct ncu_profile *profile, const char *locale, struct error *err)
{
	char decimal;
	if (ncu_numerals_decide(&profile->numerals, locale, &decimal, err) < 0)
		return -1;
	for (size_t i = 0; i < profile->cell_count; i++)
		if (store(profile, &profile->cells[i], decimal, err) < 0)
			return -1;
	for (size_t i = 0; i < profile->count; i++)
		for (struct ncu_rule *rule = profile->launches[i]->rules; rule; rule = rule->next)
			ncu_number(rule->estimate, decimal, 0, &rule->speedup);
	return 0;
}

/* --- rules --- */

void ncu_profile_rule(struct ncu_profile *profile, struct ncu_launch *launch,
		      const struct ncu_rule_entry *entry)
{
	if (launch->rule_count == ncu_rule_limit)
		return;
	struct ncu_rule *rule = arena_new(profile->arena, struct ncu_rule);
	*rule = (struct ncu_rule){.next = launch->rules,
				  .name = ncu_one_line(profile->arena, entry->name),
				  .text = ncu_one_line(profile->arena, entry->text),
				  .estimate = entry->estimate,
				  .speedup = NAN,
				  .scope = entry->scope,
				  .order = launch->rule_count++};
	launch->rules = rule;
}

void ncu_profile_bottleneck(struct ncu_launch *launch, struct span text)
{
	static const char *const phrases[] = {
		"Compute is more heavily utilized than Memory",
		"Memory is more heavily utilized than Compute",
		"low compute throughput and memory bandwidth utilization",
		"Compute and Memory are well-balanced",
		"grid is too small to fill the available resources",
		"utilizing greater than 80.0% of the available compute or memory performance",
		"utilizing greater than",
	};
	for (size_t i = 0; i < sizeof phrases / sizeof *phrases && !launch->bottleneck; i++)
		if (span_find(text, phrases[i]) < text.len)
			launch->bottleneck = phrases[i];
}

/* --- the log --- */

bool ncu_profile_log(struct ncu_profile *profile, struct span line)
{
	static const char error[] = "==ERROR==", warning[] = "==WARNING==", prof[] = "==PROF==";
	if (span_starts(line, "\xef\xbb\xbf"))
		line = span_from(line, 3);
	if (span_starts(line, prof)) {
		profile->processes += span_find(line, "Connected to process") < line.len;
		return true;
	}
	if (span_starts(line, warning))
		return true;
	if (!span_starts(line, error))
		return false;
	if (profile->error_count < sizeof profile->errors / sizeof *profile->errors)
		profile->errors[profile->error_count++] = span_trim(
			(struct span){line.ptr + strlen(error), line.len - strlen(error)});
	return true;
}
