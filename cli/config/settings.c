/* Sections of the configuration become policies, devices, work formulas and tool classes. */
#include "cli/config/settings.h"

#include "base/text/text.h"
#include "model/formula/formula.h"
#include "model/sizing/fusion/fusion_coverage.h"
#include "vcs/address.h"

/* --- the keys of the command line --- */

static bool is_name(struct span text)
{
	size_t i = 0;
	while (i < text.len && (((text.ptr[i] | 32) >= 'a' && (text.ptr[i] | 32) <= 'z') ||
				(text.ptr[i] >= '0' && text.ptr[i] <= '9') || text.ptr[i] == '-'))
		i++;
	return text.len && i == text.len;
}

static const char *lower(struct arena *arena, struct span text)
{
	char *out = arena_strndup(arena, text.ptr, text.len);
	for (char *c = out; *c; c++)
		*c = (char)(*c >= 'A' && *c <= 'Z' ? *c | 32 : *c);
	return out;
}

static struct config_entry *add_entry(struct arena *arena, struct config *config)
{
	return arena_next(arena, config->entries, config->count, config->capacity);
}

int settings_give(struct arena *arena, const struct text_list *list, struct config *given,
		  struct error *err)
{
	for (size_t i = 0; i < list->count; i++) {
		struct span value = span_of(list->items[i]), path = span_cut(&value, '=');
		size_t dot = path.len;
		while (dot && path.ptr[dot - 1] != '.')
			dot--;
		struct span key = span_from(path, dot);
		struct span section = span_cut(&path, '.');
		if (!value.ptr || !dot || !is_name(section) || !is_name(key))
			return error_set(err, ERR_USAGE,
					 "-c %.200s: expected KEY=VALUE such as gate.noise=2%% or "
					 "rule.time.relative=3%%",
					 list->items[i]);
		size_t between = path.len > key.len ? path.len - key.len - 1 : 0;
		*add_entry(arena, given) = (struct config_entry){
			.section = lower(arena, section),
			.subsection = arena_strndup(arena, path.ptr, between),
			.key = lower(arena, key),
			.value = value.ptr,
		};
	}
	return 0;
}

const char *settings_place(const struct settings_reading *r, char place[SETTINGS_PLACE_SIZE])
{
	const struct config_entry *entry = r->entry;
	if (entry->line)
		snprintf(place, SETTINGS_PLACE_SIZE, "%s:%d", r->config->path, entry->line);
	else
		snprintf(place, SETTINGS_PLACE_SIZE, "-c %s%s%.100s.%s=%.200s", entry->section,
			 entry->subsection[0] ? "." : "", entry->subsection, entry->key,
			 entry->value);
	return place;
}

int settings_bad(const struct settings_reading *r, const char *what)
{
	const struct config_entry *entry = r->entry;
	char place[SETTINGS_PLACE_SIZE];
	settings_place(r, place);
	if (!entry->line)
		return error_set(r->err, ERR_USAGE, "%s: %s", place, what);
	return error_set(r->err, ERR_USAGE, "%s: [%s%s%s%s] %s = %s: %s", place, entry->section,
			 entry->subsection[0] ? " \"" : "", entry->subsection,
			 entry->subsection[0] ? "\"" : "", entry->key, entry->value, what);
}

/* A key that the section of the entry does not have. */
static int unknown_key(const struct settings_reading *r)
{
	const char *keys = settings_keys(r->arena, r->entry->section);
	return settings_bad(r, arena_printf(r->arena, "unknown key; available: %s", keys));
}

static struct hardware *device_named(struct arena *arena, struct hardware_list *devices,
				     const char *name)
{
	for (size_t i = 0; i < devices->count; i++)
		if (strcmp(devices->items[i].name, name) == 0)
			return &devices->items[i];
	struct hardware *device = arena_add(arena, devices);
	/* Peaks that the section does not set stay unknown here (NAN): they come from the profile
	 * or from the built-in table. */
	const struct hardware *known = hardware_find(NULL, name);
	*device = (struct hardware){
		.title = known ? known->title : name,
		.aliases = known ? known->aliases : "",
		.per_core = known && known->per_core,
		.bandwidth = NAN,
		.clock = NAN,
	};
	for (size_t i = 0; i < DTYPE_LIMIT; i++)
		device->peak_flops[i] = NAN;
	assert(devices->count <= devices->capacity);
	device->name = name;
	device->source = "configuration";
	device->confidence = CONFIDENCE_MEDIUM;
	return device;
}

static int read_bool(const struct settings_reading *r, bool *truth)
{
	if (strcmp(r->entry->value, "true") != 0 && strcmp(r->entry->value, "false") != 0)
		return settings_bad(r, "expected true or false");
	*truth = strcmp(r->entry->value, "true") == 0;
	return 0;
}

static int read_device(const struct settings_reading *r, struct settings *settings)
{
	const struct config_entry *entry = r->entry;
	struct hardware *device = device_named(r->arena, &settings->devices, entry->subsection);
	enum dtype dtype = dtype_find(entry->key);
	if (dtype != DTYPE_LIMIT) {
		if (!quantity_parse(span_of(entry->value), UNIT_FLOP_PER_SECOND,
				    &device->peak_flops[dtype]) ||
		    !metric_in_bounds(METRIC_PEAK_CORE_FLOPS, device->peak_flops[dtype]))
			return settings_bad(r, "expected a rate such as 78.6 TFLOP/s");
		return 0;
	}
	if (strcmp(entry->key, "bandwidth") == 0) {
		if (!quantity_parse(span_of(entry->value), UNIT_BYTE_PER_SECOND,
				    &device->bandwidth) ||
		    !metric_in_bounds(METRIC_PEAK_BANDWIDTH, device->bandwidth))
			return settings_bad(r, "expected a rate such as 716 GB/s");
		return 0;
	}
	if (strcmp(entry->key, "per-core") == 0)
		return read_bool(r, &device->per_core);
	if (strcmp(entry->key, "source") == 0) {
		device->source = entry->value;
		return 0;
	}
	return unknown_key(r);
}

static struct work_rule *work_named(const struct settings_reading *r, struct work_list *works)
{
	const struct config_entry *entry = r->entry;
	for (size_t i = 0; i < works->count; i++)
		if (strcmp(works->items[i].name, entry->subsection) == 0)
			return &works->items[i];
	struct work_rule *work = arena_add(r->arena, works);
	*work = (struct work_rule){
		.name = entry->subsection,
		.kernel = entry->subsection[0] ? entry->subsection : "*",
		.source = entry->line
				  ? arena_printf(r->arena, "%s:%d", r->config->path, entry->line)
				  : "-c",
	};
	return work;
}

static int read_work(const struct settings_reading *r, struct settings *settings)
{
	const struct config_entry *entry = r->entry;
	struct work_rule *work = work_named(r, &settings->works);
	const struct {
		const char *key;
		const char **text;
		bool formula;
	} keys[] = {
		{"flops", &work->flops, true},
		{"bytes", &work->bytes, true},
		{"kernel", &work->kernel, false},
		{"variant", &work->variant, false},
	};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		struct error why;
		if (strcmp(entry->key, keys[i].key) != 0)
			continue;
		if (keys[i].formula && formula_check(entry->value, &why) < 0)
			return settings_bad(r, why.text);
		*keys[i].text = entry->value;
		return 0;
	}
	return unknown_key(r);
}

static bool is_tool_class(const char *text)
{
	for (const char *c = text; *c; c++)
		if ((unsigned char)*c <= 0x20 || *c == 0x7f)
			return false;
	return text[0] && strlen(text) <= 64;
}

static int read_tool(const struct settings_reading *r, struct settings *settings)
{
	struct tool_alias_list *tools = &settings->tools;
	const struct settings_tool_alias alias = {r->entry->subsection, r->entry->value};
	if (strcmp(r->entry->key, "as") != 0)
		return unknown_key(r);
	if (!is_tool_class(alias.name) || !is_tool_class(alias.as))
		return settings_bad(r, "expected tool classes such as [tool \"ntff\"] as = "
				       "neuron-profile");
	for (size_t i = 0; i < tools->count; i++)
		if (strcmp(tools->items[i].name, alias.name) == 0) {
			tools->items[i] = alias;
			return 0;
		}
	*arena_add(r->arena, tools) = alias;
	return 0;
}

const char *settings_tool_alias(const struct tool_alias_list *tools, const char *name)
{
	for (size_t i = 0; i < tools->count; i++)
		if (span_text_eq(tools->items[i].name, name) &&
		    !span_text_eq(tools->items[i].as, name))
			return tools->items[i].as;
	return NULL;
}

static int read_alias(const struct settings_reading *r, struct settings *settings)
{
	struct error why;
	if (strcmp(r->entry->key, "as") != 0)
		return unknown_key(r);
	if (!r->entry->subsection[0])
		return settings_bad(r, "expected a series: [alias \"flash_fwd\"] as = attention");
	if (renaming_check(r->entry->value, &why) < 0)
		return settings_bad(r, why.text);
	*arena_add(r->arena, &settings->aliases) =
		(struct renaming){r->entry->subsection, r->entry->value};
	return 0;
}

enum { SCENARIO_NAME_LIMIT = 64 }; /* bytes: the name is a cell of tables */

static int read_scenario(const struct settings_reading *r, struct settings *settings)
{
	const struct config_entry *entry = r->entry;
	if (strcmp(entry->key, "series") != 0)
		return unknown_key(r);
	if (!entry->subsection[0] || strlen(entry->subsection) > SCENARIO_NAME_LIMIT)
		return settings_bad(r, "expected a name of at most 64 bytes: [scenario \"decode\"] "
				       "series = * s=1");
	if (!entry->value[0])
		return settings_bad(r, "expected a series: attention s=1, or * s>1");
	scenario_add(r->arena, &settings->scenarios, entry->subsection, entry->value);
	return 0;
}

static bool is_epoch_name(const char *name)
{
	for (const char *c = name; *c; c++)
		if (!ascii_is_alphanumeric(*c) && !strchr("._-", *c))
			return false;
	return true;
}

/* The name is the value of a parameter, which tables print as epoch=NAME. */
static int read_epoch(const struct settings_reading *r, struct settings *settings)
{
	const struct config_entry *entry = r->entry;
	const char *name = entry->subsection;
	if (strcmp(entry->key, "series") != 0)
		return unknown_key(r);
	if (!is_tool_class(name) || !is_epoch_name(name))
		return settings_bad(r, "expected a name of at most 64 letters, digits, . _ and -: "
				       "[epoch \"driver-570\"] series = * ncu");
	if (!entry->value[0])
		return settings_bad(r, "expected a series: attention s=1, or * for all");
	scenario_add(r->arena, &settings->epochs, name, entry->value);
	return 0;
}

static struct run_command *command_named(struct arena *arena, struct run_command_list *commands,
					 const char *name)
{
	for (size_t i = 0; i < commands->count; i++)
		if (strcmp(commands->items[i].name, name) == 0)
			return &commands->items[i];
	struct run_command *command = arena_add(arena, commands);
	command->name = name;
	return command;
}

static int read_run(const struct settings_reading *r, struct settings *settings)
{
	const struct config_entry *entry = r->entry;
	struct run_command *command;
	if (!is_tool_class(entry->subsection))
		return settings_bad(r, "expected a name of at most 64 bytes without blanks: "
				       "[run \"decode\"] command = ./bench decode");
	command = command_named(r->arena, &settings->commands, entry->subsection);
	const struct {
		const char *key;
		const char **text;
	} keys[] = {{"command", &command->command},
		    {"build", &command->build},
		    {"check", &command->check}};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (strcmp(entry->key, keys[i].key) != 0)
			continue;
		*keys[i].text = entry->value;
		return entry->value[0] ? 0 : settings_bad(r, "expected a command of the shell");
	}
	return unknown_key(r);
}

/* --- [project]: reports that are read elsewhere, e.g. as a comment on a pull request --- */

/* Characters. They bound the marker and the links of a comment, whose size is limited. */
enum { PROJECT_LIMIT = 64, URL_LIMIT = 1000 };

/* The name appears inside an HTML comment, where "--" would end the comment. */
static const char *project_fault(const char *project)
{
	static const char *const expected =
		"expected a name of at most 64 letters, digits, . _ / and single -";
	size_t len = strlen(project);
	if (!len || len > PROJECT_LIMIT || strstr(project, "--") || project[len - 1] == '-')
		return expected;
	for (const char *c = project; *c; c++)
		if (!ascii_is_alphanumeric(*c) && !strchr("._/-", *c))
			return expected;
	return NULL;
}

/* The URL appears in an HTML attribute and in Markdown links, where quotes and blanks would end
 * it. */
static const char *url_fault(const char *url)
{
	static const char *const expected =
		"expected a URL such as https://example.org/charts, without quotes and blanks";
	if (strncmp(url, "https://", 8) != 0 && strncmp(url, "http://", 7) != 0)
		return expected;
	for (const char *c = url; *c; c++)
		if (!ascii_is_alphanumeric(*c) && !strchr("-._~:/?@!$&()*+,;=%", *c))
			return expected;
	return strlen(url) > URL_LIMIT ? expected : NULL;
}

static int read_project(const struct settings_reading *r, struct settings *settings)
{
	const char *fault;
	if (strcmp(r->entry->key, "name") == 0) {
		settings->publication.project = r->entry->value;
		fault = project_fault(r->entry->value);
	} else if (strcmp(r->entry->key, "releases") == 0) {
		settings->publication.releases = r->entry->value;
		fault = strlen(r->entry->value) > RELEASE_NAME_LIMIT
				? "expected a pattern of tags, such as v*"
				: NULL;
	} else if (strcmp(r->entry->key, "charts") == 0) {
		settings->publication.charts = r->entry->value;
		fault = url_fault(r->entry->value);
	} else if (strcmp(r->entry->key, "site") == 0) {
		settings->publication.site = r->entry->value;
		fault = url_fault(r->entry->value);
	} else if (strcmp(r->entry->key, "url") == 0) {
		settings->publication.url = r->entry->value;
		fault = url_fault(r->entry->value) ||
					!address_of_commits(r->arena, r->entry->value, false)
				? "expected the URL of the repository on the web, such as "
				  "https://github.com/owner/name"
				: NULL;
	} else if (strcmp(r->entry->key, "language") == 0) {
		settings->publication.chinese = strcmp(r->entry->value, "zh") == 0;
		fault = settings->publication.chinese || strcmp(r->entry->value, "en") == 0
				? NULL
				: "expected en or zh";
	} else {
		return unknown_key(r);
	}
	return fault ? settings_bad(r, fault) : 0;
}

/* --- defaults of commands, which are rarely changed --- */

static int read_default(const struct settings_reading *r, struct settings *settings)
{
	const struct {
		const char *section, *key;
		double *share;
		bool zero;
		double high;
	} rows[] = {
		{"bisect", "noise", &settings->bisect_noise, false, 1},
		{"bisect", "error", &settings->bisect_error, false, 0.5},
		{"fusion", "noise", &settings->fusion_noise, true, 1},
	};
	struct span text = span_of(r->entry->value);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double share;
		if (strcmp(r->entry->section, rows[i].section) != 0 ||
		    strcmp(r->entry->key, rows[i].key) != 0)
			continue;
		if (!quantity_parse(text, UNIT_FRACTION, &share) || share >= rows[i].high ||
		    !(share > 0 || (rows[i].zero && share == 0)))
			return settings_bad(
				r,
				arena_printf(r->arena, "expected a share such as 2 %%, below %g %%",
					     100 * rows[i].high));
		*rows[i].share = share;
		return 0;
	}
	return unknown_key(r);
}

static int read_chart(const struct settings_reading *r, struct settings *settings)
{
	return strcmp(r->entry->key, "dark") == 0 ? read_bool(r, &settings->chart_dark)
						  : unknown_key(r);
}

static int read_report(const struct settings_reading *r, struct settings *settings)
{
	(void)settings;
	return settings_bad(r, strcmp(r->entry->key, "url") == 0 ? "write [project] charts = ..."
								 : "write [project] name = ...");
}

/* --- all sections --- */

/* Any other section is an error, because a misspelled one would silently be ignored. [gate] and
 * [rule] have a reader of their own, which needs all of their entries at once. [report], without
 * a title, is what [project] was called. */
static const struct {
	const char *name, *title, *keys;
	int (*read)(const struct settings_reading *r, struct settings *settings);
} sections[] = {
	{"gate", "[gate]", NULL, NULL},
	{"rule", "[rule \"name\"]", NULL, NULL},
	{"project", "[project]", "name, url, site, charts, releases, language", read_project},
	{"device", "[device \"name\"]", "a dtype (bf16, fp32 ...), bandwidth, per-core, source",
	 read_device},
	{"work", "[work \"kernel\"]", "flops, bytes, kernel, variant", read_work},
	{"tool", "[tool \"class\"]", "as", read_tool},
	{"alias", "[alias \"series\"]", "as", read_alias},
	{"scenario", "[scenario \"name\"]", "series", read_scenario},
	{"epoch", "[epoch \"name\"]", "series", read_epoch},
	{"run", "[run \"name\"]", "command, build, check", read_run},
	{"bisect", "[bisect]", "noise, error", read_default},
	{"fusion", "[fusion]", "noise", read_default},
	{"chart", "[chart]", "dark", read_chart},
	{"report", NULL, NULL, read_report},
};
enum { SECTION_COUNT = sizeof sections / sizeof *sections };

const char *settings_title(const char *section)
{
	for (size_t k = 0; k < SECTION_COUNT; k++)
		if (strcmp(sections[k].name, section) == 0)
			return sections[k].title;
	return NULL;
}

const char *settings_keys(struct arena *arena, const char *section)
{
	for (size_t k = 0; k < SECTION_COUNT; k++)
		if (strcmp(sections[k].name, section) == 0 && sections[k].keys)
			return sections[k].keys;
	return settings_gate_keys(arena, strcmp(section, "gate") == 0);
}

/* "[gate], [rule "name"]": what a configuration can have. */
static const char *all_titles(struct arena *arena)
{
	struct strbuf sb = {0};
	for (size_t k = 0; k < SECTION_COUNT; k++)
		if (sections[k].title)
			strbuf_addf(&sb, "%s%s", k ? ", " : "", sections[k].title);
	return strbuf_into(&sb, arena);
}

static int check_sections(struct arena *arena, const struct config *config, struct error *err)
{
	for (size_t i = 0; i < config->count; i++) {
		size_t k = 0;
		while (k < SECTION_COUNT &&
		       strcmp(config->entries[i].section, sections[k].name) != 0)
			k++;
		const struct settings_reading r = {NULL, config, &config->entries[i], err};
		char place[SETTINGS_PLACE_SIZE];
		if (k == SECTION_COUNT)
			return error_set(err, ERR_USAGE, "%s: unknown section [%s]; available: %s",
					 settings_place(&r, place), r.entry->section,
					 all_titles(arena));
	}
	return 0;
}

/* The file first, so that the command line wins. */
static void join(struct arena *arena, struct settings *settings)
{
	settings->all = (struct config){.path = settings->file.path};
	for (size_t i = 0; i < settings->file.count; i++)
		*add_entry(arena, &settings->all) = settings->file.entries[i];
	for (size_t i = 0; i < settings->given.count; i++)
		*add_entry(arena, &settings->all) = settings->given.entries[i];
}

int settings_read(struct arena *arena, struct settings *settings, struct error *err)
{
	const struct config *config = &settings->all;
	join(arena, settings);
	settings->bisect_noise = NAN;
	settings->bisect_error = 0.01;
	settings->fusion_noise = FUSION_NOISE;
	if (check_sections(arena, config, err) < 0 || settings_read_gate(arena, settings, err) < 0)
		return -1;
	for (size_t k = 0; k < SECTION_COUNT; k++)
		for (size_t i = 0; i < config->count; i++) {
			struct settings_reading r = {arena, config, &config->entries[i], err};
			if (sections[k].read && strcmp(r.entry->section, sections[k].name) == 0 &&
			    sections[k].read(&r, settings) < 0)
				return -1;
		}
	return 0;
}

int settings_check(struct arena *arena, const struct text_list *list, struct error *err)
{
	struct settings settings = {.partial = true};
	return settings_give(arena, list, &settings.given, err) < 0
		       ? -1
		       : settings_read(arena, &settings, err);
}
