/* What --set and params.json state. */
#include "cli/ingest/facts/facts.h"

#include <strings.h>

#include "ingest/table/tables.h"

#define FIELD(member) OPTION_FIELD(struct reading_options, member)
const struct option reading_option_rows[] = {
	{.kind = OPTION_SET, .help = "reading options for FILE ('rooflog help ingest')"},
	{FIELD(set), "set", "NAME=VALUE,...",
	 "what FILE does not say: kernel, variant, dtype, device, cores, or any parameter (s=512)"},
	{FIELD(from_path), "from-path", "PATTERN",
	 "take it from the path: '{variant}_{dtype}_s{s}/*'"},
	{FIELD(hints.columns), "columns", "MAP",
	 "the columns of a plain table: kernel=op,time=ms:ms"},
	{FIELD(hints.locale), "decimal", "SIGN",
	 "decimal separator of tables, . or , (default: auto)", .choices = ".|,"},
	{FIELD(hints.summary_only), "summary-only", NULL,
	 "read only the summary of a Neuron profile; fast, but without engines, opcodes and source "
	 "lines"},
	{FIELD(no_tools), "no-tools", NULL, "do not run vendor tools to convert files"},
	{FIELD(threads), "jobs", "N", "read N files at a time (default: one per CPU)", .low = 1,
	 .high = 64, .letter = 'j'},
	{.kind = OPTION_END},
};

/* --- the names of facts --- */

static const struct fact_name {
	const char *name;
	size_t offset;
} names[] = {
	/* Those of a params.json, in which all else is a parameter. */
	{"kernel", offsetof(struct facts, kernel)},
	{"variant", offsetof(struct facts, variant)},
	{"version", offsetof(struct facts, variant)},
	{"dtype", offsetof(struct facts, dtype)},
	{"device", offsetof(struct facts, device)},
	{"instance_type", offsetof(struct facts, instance_type)},
	/* Those of --set and --from-path as well. */
	{"cores", offsetof(struct facts, cores)},
	{"tool", offsetof(struct facts, tool)},
};
enum { PARAMS_JSON_NAMES = 6, NAMES = sizeof names / sizeof *names };

static const char **member_of(struct facts *facts, const struct fact_name *row)
{
	return (const char **)((char *)facts + row->offset);
}

/* "config.kernel" is a kernel, too. */
static const struct fact_name *find(const char *name, size_t known)
{
	const char *dot = strrchr(name, '.');
	for (size_t i = 0; i < known; i++)
		if (strcmp(dot ? dot + 1 : name, names[i].name) == 0)
			return &names[i];
	return NULL;
}

static struct run_param *param_of(const struct facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->params.count; i++)
		if (strcmp(facts->params.items[i].name, name) == 0)
			return &facts->params.items[i];
	return NULL;
}

static void add_param(struct arena *arena, struct facts *facts, const char *name, const char *value)
{
	struct run_param *old = param_of(facts, name);
	if (old)
		old->value = value;
	else
		*arena_add(arena, &facts->params) = (struct run_param){name, value};
}

static void add(struct arena *arena, struct facts *facts, struct run_param stated, size_t known)
{
	const struct fact_name *row = find(stated.name, known);
	if (row)
		*member_of(facts, row) = stated.value;
	else
		add_param(arena, facts, stated.name, stated.value);
}

void facts_add(struct arena *arena, struct facts *facts, const char *name, const char *value)
{
	static const char prefix[] = "param:";
	if (strncmp(name, prefix, strlen(prefix)) == 0)
		add_param(arena, facts, name + strlen(prefix), value);
	else
		add(arena, facts, (struct run_param){name, value}, NAMES);
}

void facts_add_params(struct arena *arena, struct facts *facts, const struct run_param *params,
		      size_t count)
{
	for (size_t i = 0; i < count; i++)
		add(arena, facts, params[i], PARAMS_JSON_NAMES);
}

static int check_cores(const char *cores, struct error *err)
{
	double number;
	if (!cores || (span_number(span_of(cores), &number) && number >= 1 && number <= 64 &&
		       number == floor(number)))
		return 0;
	return error_set(err, ERR_USAGE, "cores=%.40s: expected a whole number from 1 to 64",
			 cores);
}

static int check_dtype(const char *dtype, struct error *err)
{
	if (!dtype || dtype_normalise(span_of(dtype)))
		return 0;
	return error_set(
		err, ERR_USAGE,
		"dtype=%.40s: expected fp64, fp32, tf32, bf16, fp16, fp8, mxfp8, int8, fp4 "
		"or a usual spelling of one",
		dtype);
}

int facts_parse(struct arena *arena, const struct text_list *set, struct facts *facts,
		struct error *err)
{
	for (size_t i = 0; i < set->count; i++) {
		struct span rest = span_of(set->items[i]), name, value;
		int more;
		while ((more = option_pair("set", &rest, &name, &value, err)) > 0) {
			if (value.len == 0)
				return error_set(err, ERR_USAGE, "--set %.*s= has no value",
						 (int)(name.len < 80 ? name.len : 80), name.ptr);
			facts_add(arena, facts, arena_strndup(arena, name.ptr, name.len),
				  arena_strndup(arena, value.ptr, value.len));
		}
		if (more < 0)
			return -1;
	}
	if (check_cores(facts->cores, err) < 0 || check_dtype(facts->dtype, err) < 0)
		return error_prefix(err, "--set");
	return 0;
}

bool facts_reads(const struct reading_options *reading)
{
	return reading->set.count || reading->from_path || reading->hints.columns ||
	       reading->hints.locale || reading->hints.summary_only || reading->threads ||
	       reading->no_tools;
}

int facts_check_reading(struct arena *arena, const struct reading_options *reading,
			struct error *err)
{
	struct facts stated = {0};
	struct column_map map;
	if (facts_parse(arena, &reading->set, &stated, err) < 0 ||
	    (reading->from_path && facts_check_pattern(reading->from_path, err) < 0))
		return -1;
	const char *columns = reading->hints.columns;
	return columns ? column_map_parse(arena, columns, &map, err) : 0;
}

/* --- devices --- */

/* Adds the names that begin with `name` and a hyphen. */
static size_t add_longer(const struct hardware *items, size_t count, const char *name,
			 struct strbuf *longer)
{
	size_t len = strlen(name), found = 0;
	for (size_t i = 0; i < count; i++)
		if (strncasecmp(items[i].name, name, len) == 0 && items[i].name[len] == '-') {
			strbuf_addf(longer, "%s%s", longer->len ? ", " : "", items[i].name);
			found++;
		}
	return found;
}

static bool has_name(const struct hardware *items, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcasecmp(items[i].name, name) == 0)
			return true;
	return false;
}

int facts_check_device(const struct hardware_list *user, const char *device, struct error *err)
{
	size_t count;
	const struct hardware *table = hardware_table(&count);
	struct strbuf longer = {0};
	if (has_name(user->items, user->count, device) || has_name(table, count, device))
		return 0;
	size_t found = add_longer(user->items, user->count, device, &longer) +
		       add_longer(table, count, device, &longer);
	int rc = found < 2 ? 0
			   : error_set(err, ERR_USAGE,
				       "device=%.40s is ambiguous: write one of %.300s", device,
				       strbuf_text(&longer));
	strbuf_free(&longer);
	return rc;
}

/* --- several sources --- */

void facts_fill(struct arena *arena, struct facts *facts, const struct facts *more)
{
	struct facts copy = *more;
	for (size_t i = 0; i < NAMES; i++) {
		const char **mine = member_of(facts, &names[i]);
		if (!*mine)
			*mine = *member_of(&copy, &names[i]);
	}
	for (size_t i = 0; i < more->params.count; i++)
		if (!param_of(facts, more->params.items[i].name))
			*arena_add(arena, &facts->params) = more->params.items[i];
}
