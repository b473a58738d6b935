/* Sections of the configuration become policies, devices, work formulas and tool classes. */
#include "cli/config/settings.h"

#include "base/text/text.h"
#include "model/formula/formula.h"

int settings_bad(const struct settings_reading *r, const char *what)
{
	const struct config_entry *entry = r->entry;
	return error_set(r->err, ERR_USAGE, "%s:%d: [%s%s%s%s] %s = %s: %s", r->config->path,
			 entry->line, entry->section, entry->subsection[0] ? " \"" : "",
			 entry->subsection, entry->subsection[0] ? "\"" : "", entry->key,
			 entry->value, what);
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
	if (strcmp(entry->key, "per-core") == 0) {
		if (strcmp(entry->value, "true") != 0 && strcmp(entry->value, "false") != 0)
			return settings_bad(r, "expected true or false");
		device->per_core = strcmp(entry->value, "true") == 0;
		return 0;
	}
	if (strcmp(entry->key, "source") == 0) {
		device->source = entry->value;
		return 0;
	}
	return settings_bad(
		r, "unknown key; there are a dtype (bf16, fp32 ...), bandwidth, per-core, source");
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
		.source = arena_printf(r->arena, "%s:%d", r->config->path, entry->line),
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
	return settings_bad(r, "unknown key; there are flops, bytes, kernel, variant");
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
		return settings_bad(r, "unknown key; there is as");
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
		return settings_bad(r, "unknown key; there is as");
	if (!r->entry->subsection[0])
		return settings_bad(r, "expected a series: [alias \"flash_fwd\"] as = attention");
	if (renaming_check(r->entry->value, &why) < 0)
		return settings_bad(r, why.text);
	*arena_add(r->arena, &settings->aliases) =
		(struct renaming){r->entry->subsection, r->entry->value};
	return 0;
}

/* --- [report]: reports that are read elsewhere, e.g. as a comment on a pull request --- */

/* Characters. They bound the marker and the links of a comment, whose size is limited. */
enum { PROJECT_LIMIT = 64, URL_LIMIT = 1000 };

static bool is_alphanumeric(char c)
{
	return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* The name appears inside an HTML comment, where "--" would end the comment. */
const char *settings_project_fault(const char *project)
{
	static const char *const expected =
		"expected a name of at most 64 letters, digits, . _ / and single -";
	size_t len = strlen(project);
	if (!len || len > PROJECT_LIMIT || strstr(project, "--") || project[len - 1] == '-')
		return expected;
	for (const char *c = project; *c; c++)
		if (!is_alphanumeric(*c) && !strchr("._/-", *c))
			return expected;
	return NULL;
}

/* The URL appears in an HTML attribute and in Markdown links, where quotes and blanks would end
 * it. */
const char *settings_url_fault(const char *url)
{
	static const char *const expected =
		"expected a URL such as https://example.org/charts, without quotes and blanks";
	if (strncmp(url, "https://", 8) != 0 && strncmp(url, "http://", 7) != 0)
		return expected;
	for (const char *c = url; *c; c++)
		if (!is_alphanumeric(*c) && !strchr("-._~:/?@!$&()*+,;=%", *c))
			return expected;
	return strlen(url) > URL_LIMIT ? expected : NULL;
}

static int read_report(const struct settings_reading *r, struct settings *settings)
{
	const char *fault = "unknown key; there are project and url";
	if (strcmp(r->entry->key, "project") == 0) {
		settings->publication.project = r->entry->value;
		fault = settings_project_fault(r->entry->value);
	} else if (strcmp(r->entry->key, "url") == 0) {
		settings->publication.url = r->entry->value;
		fault = settings_url_fault(r->entry->value);
	}
	return fault ? settings_bad(r, fault) : 0;
}

/* --- all sections --- */

/* Any other section is an error, because a misspelled one would silently be ignored. [gate] has a
 * reader of its own, which needs all of its entries at once. */
static const struct {
	const char *name;
	int (*read)(const struct settings_reading *r, struct settings *settings);
} sections[] = {
	{"gate", NULL},      {"device", read_device}, {"work", read_work},
	{"tool", read_tool}, {"report", read_report}, {"alias", read_alias},
};
enum { SECTION_COUNT = sizeof sections / sizeof *sections };

static int check_sections(const struct config *config, struct error *err)
{
	for (size_t i = 0; i < config->count; i++) {
		size_t k = 0;
		while (k < SECTION_COUNT &&
		       strcmp(config->entries[i].section, sections[k].name) != 0)
			k++;
		if (k == SECTION_COUNT)
			return error_set(
				err, ERR_USAGE,
				"%s:%d: unknown section [%s]; there are [gate], [gate \"name\"], "
				"[device \"name\"], [work \"kernel\"], [tool \"class\"], "
				"[alias \"series\"] and [report]",
				config->path, config->entries[i].line, config->entries[i].section);
	}
	return 0;
}

int settings_read(struct arena *arena, struct settings *settings, struct error *err)
{
	const struct config *config = &settings->file;
	if (check_sections(config, err) < 0 || settings_read_gate(arena, settings, err) < 0)
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
