/* The [gate] sections: the rows of the gate, their defaults, and what all rows share. A file is
 * read in three passes, because entries may come in any order: first the defaults in [gate], then
 * the keys of all rows, last the quantities, which are parsed in the unit of the row's metric. */

#include "base/text/text.h"
#include "base/base.h"
#include "cli/config/policy.h"

/* One entry and where to report its faults. */
struct reading {
	struct arena *arena;
	const struct config *config;
	const struct config_entry *entry;
	struct error *err;
};

static int bad(const struct reading *r, const char *what)
{
	return settings_policy_bad(r->err, r->config, r->entry, what);
}

static int read_share(const struct reading *r, double *out)
{
	const char *text = r->entry->value;
	if (!quantity_parse(span_of(text), UNIT_FRACTION, out) || *out < 0)
		return bad(r, "expected a percentage such as 5 %");
	if (*out >= 1 && !strchr(text, '%'))
		return bad(r, "write 5 % or 0.05, not 5");
	return 0;
}

/* A share of a whole, above 0 % and at most 100 %. With 0 %, no series could be called worse
 * (false-discovery) and every change would be a common event (together). */
static int read_part(const struct reading *r, double *out)
{
	if (read_share(r, out) < 0)
		return -1;
	return *out > 0 && *out <= 1 ? 0 : bad(r, "expected more than 0 % and at most 100 %");
}

static int read_truth(const struct reading *r, bool *out)
{
	*out = strcmp(r->entry->value, "true") == 0;
	return *out || strcmp(r->entry->value, "false") == 0 ? 0 : bad(r, "expected true or false");
}

static int read_count(const struct reading *r, size_t *out)
{
	double number;
	if (!span_number(span_of(r->entry->value), &number) || number < 1 || number > 1e6 ||
	    number != floor(number))
		return bad(r, "expected a number such as 3");
	*out = (size_t)number;
	return 0;
}

static int read_days(const struct reading *r, double *out)
{
	if (!span_number(span_of(r->entry->value), out) || !(*out > 0) || *out > 1e5)
		return bad(r, "expected a number of days such as 30");
	return 0;
}

/* --- keys of a row --- */

static int read_pattern(const struct reading *r, struct policy *policy)
{
	const char **pattern = strcmp(r->entry->key, "kernel") == 0    ? &policy->kernel
			       : strcmp(r->entry->key, "variant") == 0 ? &policy->variant
								       : &policy->device;
	*pattern = r->entry->value;
	return 0;
}

static int read_metric(const struct reading *r, struct policy *policy)
{
	policy->metric = metric_find(span_of(r->entry->value));
	policy->own_headline = false;
	return policy->metric == METRIC_COUNT
		       ? bad(r, "no such metric; docs/user/metrics.md lists them")
		       : 0;
}

static int read_direction(const struct reading *r, struct policy *policy)
{
	static const char *const names[] = {"lower", "higher", "neither"};
	for (int i = 0; i < 3; i++)
		if (strcmp(r->entry->value, names[i]) == 0) {
			policy->direction = (enum metric_direction)i;
			policy->own_direction = false;
			return 0;
		}
	return bad(r, "expected lower, higher or neither: which way is better");
}

static int read_role(const struct reading *r, struct policy *policy)
{
	policy->role = strcmp(r->entry->value, "context") == 0 ? POLICY_CONTEXT : POLICY_PRIMARY;
	return policy->role == POLICY_CONTEXT || strcmp(r->entry->value, "primary") == 0
		       ? 0
		       : bad(r, "expected primary or context");
}

static int read_row_share(const struct reading *r, struct policy *policy)
{
	const char *key = r->entry->key;
	double *out = strcmp(key, "relative") == 0    ? &policy->limits.relative
		      : strcmp(key, "tolerance") == 0 ? &policy->tolerance
						      : &policy->noise;
	if (read_share(r, out) < 0)
		return -1;
	policy->given |= out == &policy->limits.relative ? POLICY_RELATIVE
			 : out == &policy->tolerance     ? POLICY_TOLERANCE
							 : POLICY_NOISE;
	return out != &policy->limits.relative && *out == 0 ? bad(r, "expected more than 0 %") : 0;
}

static int read_alpha(const struct reading *r, struct policy *policy)
{
	policy->given |= POLICY_ALPHA;
	return span_number(span_of(r->entry->value), &policy->alpha) && policy->alpha > 0 &&
			       policy->alpha <= 0.5
		       ? 0
		       : bad(r, "expected a probability such as 0.01");
}

static int read_runs(const struct reading *r, struct policy *policy)
{
	return read_count(r, &policy->least_runs);
}

static int read_refines(const struct reading *r, struct policy *policy)
{
	policy->refines = r->entry->value;
	return 0;
}

static int read_confirm(const struct reading *r, struct policy *policy)
{
	return read_truth(r, &policy->confirm);
}

static int read_stale(const struct reading *r, struct policy *policy)
{
	return read_days(r, &policy->stale_days);
}

static int bad_quantity(const struct reading *r, enum unit unit)
{
	static const char *const examples[UNIT_LIMIT] = {
		[UNIT_NONE] = "0.5",
		[UNIT_COUNT] = "16",
		[UNIT_SECOND] = "0.5 us",
		[UNIT_BYTE] = "8 kB",
		[UNIT_FLOP] = "1 GFLOP",
		[UNIT_BYTE_PER_SECOND] = "500 GB/s",
		[UNIT_FLOP_PER_SECOND] = "50 TFLOP/s",
		[UNIT_FLOP_PER_BYTE] = "100 FLOP/B",
		[UNIT_FRACTION] = "30 %",
		[UNIT_HERTZ] = "1.4 GHz",
		[UNIT_PER_SECOND] = "100",
	};
	return bad(r, arena_printf(r->arena, "expected a quantity in the metric's unit, such as %s",
				   examples[unit]));
}

/* Reads a quantity of a row, in the unit of its metric. Therefore all metrics are read first. */
static int read_quantity(const struct reading *r, struct policy *policy)
{
	const char *key = r->entry->key;
	assert(policy->metric < METRIC_COUNT);
	enum unit unit = metric_info(policy->metric)->unit;
	double *out = strcmp(key, "absolute") == 0   ? &policy->limits.absolute
		      : strcmp(key, "at-least") == 0 ? &policy->at_least
						     : &policy->at_most;
	bool limit = out != &policy->limits.absolute;
	if (limit && policy->own_headline)
		return bad(r, "an absolute limit needs a metric beside it");
	if (!quantity_parse(span_of(r->entry->value), unit, out) || !isfinite(*out) || *out < 0)
		return bad_quantity(r, unit);
	if (limit && unit == UNIT_FRACTION && *out > 1 && !strchr(r->entry->value, '%'))
		return bad(r, "write 30 % or 0.30, not 30");
	return 0;
}

static const struct row_key {
	const char *name;
	int (*read)(const struct reading *, struct policy *);
	bool quantity; /* read in the last pass, in the unit of the metric */
} row_keys[] = {
	{"kernel", read_pattern, false},      {"variant", read_pattern, false},
	{"device", read_pattern, false},      {"metric", read_metric, false},
	{"direction", read_direction, false}, {"role", read_role, false},
	{"relative", read_row_share, false},  {"absolute", read_quantity, true},
	{"tolerance", read_row_share, false}, {"noise", read_row_share, false},
	{"alpha", read_alpha, false},         {"runs", read_runs, false},
	{"confirm", read_confirm, false},     {"stale-after", read_stale, false},
	{"at-least", read_quantity, true},    {"at-most", read_quantity, true},
	{"refines", read_refines, false},
};

/* The keys of a row with refines: it replaces parameters of another row for some series, so it
 * cannot judge anything of its own. */
static const char *const refining_keys[] = {"refines",  "kernel",    "variant", "device",
					    "relative", "tolerance", "alpha",   "noise"};

static const struct row_key *row_key(const char *name)
{
	for (size_t i = 0; i < sizeof row_keys / sizeof *row_keys; i++)
		if (strcmp(row_keys[i].name, name) == 0)
			return &row_keys[i];
	return NULL;
}

/* A key that is a verdict: undecided = pass. */
static int read_treatment(const struct reading *r, struct policy *policy, bool *known)
{
	enum verdict verdict = verdict_find(span_of(r->entry->key));
	*known = verdict != VERDICT_LIMIT && gate_is_treatable(verdict);
	if (!*known)
		return 0;
	bool pass = strcmp(r->entry->value, "pass") == 0;
	policy->treat[verdict] = pass ? TREAT_PASS : TREAT_FAIL;
	return pass || strcmp(r->entry->value, "fail") == 0 ? 0 : bad(r, "expected pass or fail");
}

static int unknown_key(const struct reading *r, bool shared)
{
	struct strbuf sb = {0};
	strbuf_addstr(&sb, "unknown key; there are ");
	for (size_t i = 0; i < sizeof row_keys / sizeof *row_keys; i++)
		strbuf_addf(&sb, "%s, ", row_keys[i].name);
	strbuf_addstr(&sb, shared ? "false-discovery, together, window, seen-within, creep, rerun, "
				  : "");
	strbuf_addstr(&sb, "and undecided, missing ... = pass or fail");
	bad(r, strbuf_text(&sb));
	strbuf_free(&sb);
	return -1;
}

static int read_row(const struct reading *r, struct policy *policy, bool quantities, bool shared)
{
	const struct row_key *key = row_key(r->entry->key);
	bool treatment = false;
	if (key)
		return key->quantity == quantities ? key->read(r, policy) : 0;
	if (quantities)
		return 0;
	if (read_treatment(r, policy, &treatment) < 0)
		return -1;
	return treatment ? 0 : unknown_key(r, shared);
}

/* --- what all rows share --- */

static int read_shared(const struct reading *r, struct gate_settings *settings,
		       struct policy *defaults)
{
	const char *key = r->entry->key;
	const struct row_key *row = row_key(key);
	if (strcmp(key, "false-discovery") == 0)
		return read_part(r, &settings->false_discovery);
	if (strcmp(key, "together") == 0)
		return read_part(r, &settings->together);
	if (strcmp(key, "window") == 0)
		return read_count(r, &settings->window);
	if (strcmp(key, "seen-within") == 0)
		return read_days(r, &settings->stale_days);
	if (strcmp(key, "creep") == 0)
		return read_truth(r, &settings->drift);
	if (strcmp(key, "rerun") == 0) {
		settings->rerun = r->entry->value;
		return 0;
	}
	if (row && (row->quantity || row->read == read_pattern || row->read == read_metric ||
		    row->read == read_refines))
		return bad(r, "belongs to a row, [gate \"name\"]");
	return read_row(r, defaults, false, true);
}

static bool is_gate(const struct config_entry *entry, bool shared)
{
	return strcmp(entry->section, "gate") == 0 && !entry->subsection[0] == shared;
}

static int read_defaults(struct arena *arena, const struct config *config,
			 struct gate_settings *settings, struct policy *defaults, struct error *err)
{
	*settings = default_settings;
	*defaults = default_policy;
	for (size_t i = 0; i < config->count; i++) {
		struct reading r = {arena, config, &config->entries[i], err};
		if (is_gate(r.entry, true) && read_shared(&r, settings, defaults) < 0)
			return -1;
	}
	return 0;
}

static struct policy *policy_named(struct arena *arena, struct policy_list *policies,
				   const struct policy *defaults, const char *name)
{
	for (size_t i = 0; i < policies->count; i++)
		if (strcmp(policies->items[i].name, name) == 0)
			return &policies->items[i];
	struct policy *policy = arena_add(arena, policies);
	*policy = *defaults;
	policy->name = name;
	policy->given = 0;
	return policy;
}

static bool judges(const struct policy_list *policies, const char *name)
{
	for (size_t i = 0; i < policies->count; i++)
		if (!policies->items[i].refines &&
		    (!name || strcmp(policies->items[i].name, name) == 0))
			return true;
	return false;
}

/* A row with refines must name a row that judges by the history, and may have refining keys
 * only. */
static int check_refining(const struct config *config, const struct policy_list *policies,
			  const struct policy *policy, struct error *err)
{
	for (size_t i = 0; i < config->count; i++) {
		const struct config_entry *entry = &config->entries[i];
		bool known = !is_gate(entry, false) || strcmp(entry->subsection, policy->name) != 0;
		for (size_t k = 0; k < sizeof refining_keys / sizeof *refining_keys; k++)
			known = known || strcmp(entry->key, refining_keys[k]) == 0;
		if (!known)
			return settings_policy_bad(
				err, config, entry,
				"belongs to the row that is refined; here are kernel, "
				"variant, device, relative, tolerance, alpha and noise");
	}
	if (!judges(policies, policy->refines))
		return error_set(err, ERR_USAGE,
				 "%s: [gate \"%s\"] refines \"%s\", and there is no such row that "
				 "judges: name another, or run \"rooflog calibrate --write\" again",
				 config->path, policy->name, policy->refines);
	return 0;
}

/* Checks rows as a whole. A row is either a limit (at-least, at-most) or a comparison, never
 * both. */
static int check_rows(const struct config *config, const struct policy_list *policies,
		      struct error *err)
{
	for (size_t i = 0; i < policies->count; i++) {
		const struct policy *policy = &policies->items[i];
		if (policy->refines && check_refining(config, policies, policy, err) < 0)
			return -1;
		if (policy_is_absolute(policy) && policy->limits.absolute > 0)
			return error_set(err, ERR_USAGE,
					 "%s: [gate \"%s\"] has a limit (at-least, at-most) and "
					 "compares (absolute): make two rows of it",
					 config->path, policy->name);
		if (policy->at_least > policy->at_most)
			return error_set(err, ERR_USAGE,
					 "%s: [gate \"%s\"] at-least is above at-most: nothing "
					 "could pass",
					 config->path, policy->name);
	}
	return 0;
}

int settings_policies_of(struct arena *arena, const struct config *config,
			 struct policy_list *policies, struct gate_settings *settings,
			 struct error *err)
{
	struct policy defaults;
	if (settings_check_sections(config, err) < 0 ||
	    read_defaults(arena, config, settings, &defaults, err) < 0)
		return -1;
	for (int quantities = 0; quantities < 2; quantities++)
		for (size_t i = 0; i < config->count; i++) {
			struct reading r = {arena, config, &config->entries[i], err};
			if (!is_gate(r.entry, false))
				continue;
			struct policy *policy =
				policy_named(arena, policies, &defaults, r.entry->subsection);
			if (read_row(&r, policy, quantities, false) < 0)
				return -1;
		}
	/* Without a row that judges, the default row is added: rows with refines need one. */
	if (!judges(policies, NULL))
		policy_named(arena, policies, &defaults, default_policy.name);
	return check_rows(config, policies, err);
}
