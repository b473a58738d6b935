/* [gate] and [rule]: the rules of the gate, their defaults, and what all rules share. A file is
 * read in three passes, because entries may come in any order: first the defaults in [gate], then
 * the keys of all rules, last the quantities, which are parsed in the unit of the rule's metric. */

#include "base/text/text.h"
#include "base/base.h"
#include "cli/config/settings.h"

static int read_share(const struct settings_reading *r, double *out)
{
	const char *text = r->entry->value;
	if (!quantity_parse(span_of(text), UNIT_FRACTION, out) || *out < 0)
		return settings_bad(r, "expected a percentage such as 5 %");
	if (*out >= 1 && !strchr(text, '%'))
		return settings_bad(r, "write 5 % or 0.05, not 5");
	return 0;
}

/* A share of a whole, above 0 % and at most 100 %. With 0 %, no series could be called worse
 * (false-discovery) and every change would be a common event (together). */
static int read_part(const struct settings_reading *r, void *member)
{
	double *out = member;
	if (read_share(r, out) < 0)
		return -1;
	return *out > 0 && *out <= 1 ? 0
				     : settings_bad(r, "expected more than 0 % and at most 100 %");
}

static int read_truth(const struct settings_reading *r, void *member)
{
	bool *out = member;
	*out = strcmp(r->entry->value, "true") == 0;
	return *out || strcmp(r->entry->value, "false") == 0
		       ? 0
		       : settings_bad(r, "expected true or false");
}

static int read_count(const struct settings_reading *r, void *member)
{
	double number;
	if (!span_number(span_of(r->entry->value), &number) || number < 1 || number > 1e6 ||
	    number != floor(number))
		return settings_bad(r, "expected a number such as 3");
	*(size_t *)member = (size_t)number;
	return 0;
}

static int read_days(const struct settings_reading *r, void *member)
{
	double *out = member;
	if (!span_number(span_of(r->entry->value), out) || !(*out > 0) || *out > 1e5)
		return settings_bad(r, "expected a number of days such as 30");
	return 0;
}

static int read_text(const struct settings_reading *r, void *member)
{
	*(const char **)member = r->entry->value;
	return 0;
}

/* --- keys of a row --- */

static int read_metric(const struct settings_reading *r, void *row)
{
	struct policy *policy = row;
	policy->metric = metric_find(span_of(r->entry->value));
	policy->own_headline = false;
	return policy->metric == METRIC_COUNT
		       ? settings_bad(r, "unknown metric; 'rooflog list metrics' lists them")
		       : 0;
}

static int read_direction(const struct settings_reading *r, void *row)
{
	struct policy *policy = row;
	static const char *const names[] = {"lower", "higher", "neither"};
	for (int i = 0; i < 3; i++)
		if (strcmp(r->entry->value, names[i]) == 0) {
			policy->direction = (enum metric_direction)i;
			policy->own_direction = false;
			return 0;
		}
	return settings_bad(r, "expected lower, higher or neither (which direction is better)");
}

static int read_role(const struct settings_reading *r, void *row)
{
	struct policy *policy = row;
	policy->role = strcmp(r->entry->value, "context") == 0 ? POLICY_CONTEXT : POLICY_PRIMARY;
	return policy->role == POLICY_CONTEXT || strcmp(r->entry->value, "primary") == 0
		       ? 0
		       : settings_bad(r, "expected primary or context");
}

static int read_row_share(const struct settings_reading *r, void *row)
{
	struct policy *policy = row;
	const char *key = r->entry->key;
	double *out = strcmp(key, "relative") == 0    ? &policy->limits.relative
		      : strcmp(key, "tolerance") == 0 ? &policy->tolerance
						      : &policy->noise;
	if (read_share(r, out) < 0)
		return -1;
	policy->given |= out == &policy->limits.relative ? POLICY_RELATIVE
			 : out == &policy->tolerance     ? POLICY_TOLERANCE
							 : POLICY_NOISE;
	return out != &policy->limits.relative && *out == 0
		       ? settings_bad(r, "expected more than 0 %")
		       : 0;
}

static int read_alpha(const struct settings_reading *r, void *row)
{
	struct policy *policy = row;
	policy->given |= POLICY_ALPHA;
	return span_number(span_of(r->entry->value), &policy->alpha) && policy->alpha > 0 &&
			       policy->alpha <= 0.5
		       ? 0
		       : settings_bad(r, "expected a probability such as 0.01");
}

static int bad_quantity(const struct settings_reading *r, enum unit unit)
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
	return settings_bad(r, arena_printf(r->arena,
					    "expected a quantity in the metric's unit, such as %s",
					    examples[unit]));
}

/* Reads a quantity of a row, in the unit of its metric. Therefore all metrics are read first. */
static int read_quantity(const struct settings_reading *r, void *row)
{
	struct policy *policy = row;
	const char *key = r->entry->key;
	assert(policy->metric < METRIC_COUNT);
	enum unit unit = metric_info(policy->metric)->unit;
	double *out = strcmp(key, "absolute") == 0   ? &policy->limits.absolute
		      : strcmp(key, "at-least") == 0 ? &policy->at_least
						     : &policy->at_most;
	bool limit = out != &policy->limits.absolute;
	if (limit && policy->own_headline)
		return settings_bad(r, "absolute needs a metric in the same rule");
	if (!quantity_parse(span_of(r->entry->value), unit, out) || !isfinite(*out) || *out < 0)
		return bad_quantity(r, unit);
	if (limit && unit == UNIT_FRACTION && *out > 1 && !strchr(r->entry->value, '%'))
		return settings_bad(r, "write 30 % or 0.30, not 30");
	return 0;
}

static int read_fail_on(const struct settings_reading *r, void *list)
{
	return gate_fail_on_parse(r->entry->value, list)
		       ? 0
		       : settings_bad(r, arena_printf(r->arena, "expected a list of %s",
						      gate_fail_on_known(r->arena)));
}

/* A key and the member that its reader gets: for readers that fill several members, the struct. */
struct key {
	const char *name;
	int (*read)(const struct settings_reading *r, void *member);
	size_t offset;
	bool own;      /* belongs to a row, never to [gate] */
	bool quantity; /* read in the last pass, in the unit of the metric */
};

#define ROW(member) offsetof(struct policy, member)
static const struct key row_keys[] = {
	{"kernel", read_text, ROW(kernel), true, false},
	{"variant", read_text, ROW(variant), true, false},
	{"device", read_text, ROW(device), true, false},
	{"metric", read_metric, 0, true, false},
	{"direction", read_direction, 0, false, false},
	{"role", read_role, 0, false, false},
	{"relative", read_row_share, 0, false, false},
	{"absolute", read_quantity, 0, true, true},
	{"tolerance", read_row_share, 0, false, false},
	{"noise", read_row_share, 0, false, false},
	{"alpha", read_alpha, 0, false, false},
	{"runs", read_count, ROW(least_runs), false, false},
	{"confirm", read_truth, ROW(confirm), false, false},
	{"stale-after", read_days, ROW(stale_days), false, false},
	{"at-least", read_quantity, 0, true, true},
	{"at-most", read_quantity, 0, true, true},
	{"refines", read_text, ROW(refines), true, false},
	{"fail-on", read_fail_on, ROW(fail_on), true, false},
};

#define SHARED(member) offsetof(struct gate_settings, member)
static const struct key shared_keys[] = {
	{"false-discovery", read_part, SHARED(false_discovery), false, false},
	{"together", read_part, SHARED(together), false, false},
	{"window", read_count, SHARED(window), false, false},
	{"seen-within", read_days, SHARED(stale_days), false, false},
	{"drift", read_truth, SHARED(drift), false, false},
	{"rerun", read_text, SHARED(rerun), false, false},
	{"fail-on", read_fail_on, SHARED(fail_on), false, false},
};

/* The keys of a row with refines: it replaces parameters of another row for some series, so it
 * cannot judge anything of its own. */
static const char *const refining_keys[] = {"refines",  "kernel",    "variant", "device",
					    "relative", "tolerance", "alpha",   "noise"};

static const struct key *find_key(const struct key *keys, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(keys[i].name, name) == 0)
			return &keys[i];
	return NULL;
}

static const struct key *row_key(const char *name)
{
	return find_key(row_keys, sizeof row_keys / sizeof *row_keys, name);
}

const char *settings_gate_keys(struct arena *arena, bool shared)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < sizeof row_keys / sizeof *row_keys; i++)
		if (!shared || !row_keys[i].own)
			strbuf_addf(&sb, "%s%s", sb.len ? ", " : "", row_keys[i].name);
	for (size_t i = 0; shared && i < sizeof shared_keys / sizeof *shared_keys; i++)
		strbuf_addf(&sb, ", %s", shared_keys[i].name);
	return strbuf_into(&sb, arena);
}

static int read_row(const struct settings_reading *r, struct policy *policy, bool quantities,
		    bool shared)
{
	const struct key *key = row_key(r->entry->key);
	if (key)
		return key->quantity == quantities ? key->read(r, (char *)policy + key->offset) : 0;
	if (quantities)
		return 0;
	/* A verdict was a key once: undecided = pass. */
	if (verdict_find(span_of(r->entry->key)) != VERDICT_LIMIT)
		return settings_bad(r, "use fail-on = LIST instead");
	return settings_bad(r, arena_printf(r->arena, "unknown key; available: %s",
					    settings_gate_keys(r->arena, shared)));
}

/* --- what all rows share --- */

static int read_shared(const struct settings_reading *r, struct gate_settings *settings,
		       struct policy *defaults)
{
	const struct key *row = row_key(r->entry->key);
	const struct key *key =
		find_key(shared_keys, sizeof shared_keys / sizeof *shared_keys, r->entry->key);
	if (key)
		return key->read(r, (char *)settings + key->offset);
	if (row && row->own)
		return settings_bad(r, "allowed only in a rule: [rule \"name\"]");
	return read_row(r, defaults, false, true);
}

/* An entry of [gate], which all rules share, or of a rule. */
static bool is_gate(const struct config_entry *entry, bool shared)
{
	return strcmp(entry->section, shared ? "gate" : "rule") == 0;
}

/* [gate "name"] is what [rule "name"] was called. */
static int check_name(const struct settings_reading *r)
{
	bool shared = is_gate(r->entry, true);
	if (shared && r->entry->subsection[0])
		return settings_bad(
			r, arena_printf(r->arena, "write [rule \"%s\"]", r->entry->subsection));
	return !shared && is_gate(r->entry, false) && !r->entry->subsection[0]
		       ? settings_bad(r, "a rule needs a name: [rule \"name\"]")
		       : 0;
}

static int read_defaults(struct arena *arena, struct settings *settings, struct policy *defaults,
			 struct error *err)
{
	const struct config *config = &settings->all;
	settings->gate = default_settings;
	*defaults = default_policy;
	for (size_t i = 0; i < config->count; i++) {
		struct settings_reading r = {arena, config, &config->entries[i], err};
		if (check_name(&r) < 0)
			return -1;
		if (is_gate(r.entry, true) && read_shared(&r, &settings->gate, defaults) < 0)
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

static bool has_key(const char *keys, const char *key)
{
	for (struct span rest = span_of(keys); rest.ptr;)
		if (span_eq(span_cut(&rest, ' '), span_of(key)))
			return true;
	return false;
}

/* The last entry of a rule, or of what all rules share, that has one of the keys. */
static const struct config_entry *last_entry(const struct config *config,
					     const struct policy *policy, const char *keys)
{
	const struct config_entry *last = NULL;
	for (size_t i = 0; i < config->count; i++) {
		const struct config_entry *entry = &config->entries[i];
		bool own = is_gate(entry, false) && strcmp(entry->subsection, policy->name) == 0;
		if ((own || is_gate(entry, true)) && has_key(keys, entry->key))
			last = entry;
	}
	return last;
}

/* A fault of a rule as a whole is that of the last entry which made it: the file comes before the
 * command line. */
static int refuse_rule(const struct config *config, const struct policy *policy, const char *keys,
		       const char *what, struct error *err)
{
	char place[SETTINGS_PLACE_SIZE];
	const struct settings_reading r = {NULL, config, last_entry(config, policy, keys), err};
	return error_set(err, ERR_USAGE, "%s: [rule \"%s\"] %s", settings_place(&r, place),
			 policy->name, what);
}

/* A row with refines must name a row that judges by the history, and may have refining keys
 * only. */
static int check_refining(const struct config *config, const struct policy_list *policies,
			  const struct policy *policy, struct error *err)
{
	char what[SETTINGS_PLACE_SIZE];
	for (size_t i = 0; i < config->count; i++) {
		const struct settings_reading r = {NULL, config, &config->entries[i], err};
		bool known =
			!is_gate(r.entry, false) || strcmp(r.entry->subsection, policy->name) != 0;
		for (size_t k = 0; k < sizeof refining_keys / sizeof *refining_keys; k++)
			known = known || strcmp(r.entry->key, refining_keys[k]) == 0;
		if (known)
			continue;
		if (r.entry->line && !last_entry(config, policy, "refines")->line) {
			snprintf(what, sizeof what, "may not refine \"%.200s\": it sets %.40s",
				 policy->refines, r.entry->key);
			return refuse_rule(config, policy, "refines", what, err);
		}
		return settings_bad(&r,
				    "set it in the refined rule; available here: kernel, variant, "
				    "device, relative, tolerance, alpha and noise");
	}
	snprintf(what, sizeof what,
		 "refines \"%.200s\", but no rule of that name is judged: name another, or run "
		 "\"rooflog calibrate --write\" again",
		 policy->refines);
	return judges(policies, policy->refines)
		       ? 0
		       : refuse_rule(config, policy, "refines", what, err);
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
			return refuse_rule(config, policy, "at-least at-most absolute",
					   "has both a limit (at-least, at-most) and a comparison "
					   "(absolute): split it into two rules",
					   err);
		if (policy->at_least > policy->at_most)
			return refuse_rule(config, policy, "at-least at-most",
					   "at-least is above at-most: nothing could pass", err);
	}
	return 0;
}

int settings_read_gate(struct arena *arena, struct settings *settings, struct error *err)
{
	const struct config *config = &settings->all;
	struct policy_list *policies = &settings->policies;
	struct policy defaults;
	if (read_defaults(arena, settings, &defaults, err) < 0)
		return -1;
	for (int quantities = 0; quantities < (settings->partial ? 1 : 2); quantities++)
		for (size_t i = 0; i < config->count; i++) {
			struct settings_reading r = {arena, config, &config->entries[i], err};
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
	return settings->partial ? 0 : check_rows(config, policies, err);
}
