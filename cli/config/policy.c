/* Sections of the configuration become policies, devices, work formulas and tool classes. */
#include "cli/config/policy.h"

#include "base/text/text.h"
#include "model/formula/formula.h"

/* The sections that exist. Any other is reported as an error, because a misspelled section would
 * silently be ignored. */
static const char *const sections[] = {"gate", "device", "work", "tool", "report"};

int settings_policy_bad(struct error *err, const struct config *config,
			const struct config_entry *entry, const char *what)
{
	return error_set(err, ERR_USAGE, "%s:%d: [%s%s%s%s] %s = %s: %s", config->path, entry->line,
			 entry->section, entry->subsection[0] ? " \"" : "", entry->subsection,
			 entry->subsection[0] ? "\"" : "", entry->key, entry->value, what);
}

int settings_check_sections(const struct config *config, struct error *err)
{
	for (size_t i = 0; i < config->count; i++) {
		bool known = false;
		for (size_t j = 0; j < sizeof sections / sizeof *sections; j++)
			known = known || strcmp(config->entries[i].section, sections[j]) == 0;
		if (!known)
			return error_set(
				err, ERR_USAGE,
				"%s:%d: unknown section [%s]; there are [gate], [gate \"name\"], "
				"[device \"name\"], [work \"kernel\"], [tool \"class\"] and "
				"[report]",
				config->path, config->entries[i].line, config->entries[i].section);
	}
	return 0;
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

static int set_device(const struct config *config, const struct config_entry *entry,
		      struct hardware *device, struct error *err)
{
	enum dtype dtype = dtype_find(entry->key);
	if (dtype != DTYPE_LIMIT) {
		if (!quantity_parse(span_of(entry->value), UNIT_FLOP_PER_SECOND,
				    &device->peak_flops[dtype]) ||
		    device->peak_flops[dtype] <= 0)
			return settings_policy_bad(err, config, entry,
						   "expected a rate such as 78.6 TFLOP/s");
		return 0;
	}
	if (strcmp(entry->key, "bandwidth") == 0) {
		if (!quantity_parse(span_of(entry->value), UNIT_BYTE_PER_SECOND,
				    &device->bandwidth) ||
		    device->bandwidth <= 0)
			return settings_policy_bad(err, config, entry,
						   "expected a rate such as 716 GB/s");
		return 0;
	}
	if (strcmp(entry->key, "per-core") == 0) {
		if (strcmp(entry->value, "true") != 0 && strcmp(entry->value, "false") != 0)
			return settings_policy_bad(err, config, entry, "expected true or false");
		device->per_core = strcmp(entry->value, "true") == 0;
		return 0;
	}
	if (strcmp(entry->key, "source") == 0) {
		device->source = entry->value;
		return 0;
	}
	return settings_policy_bad(
		err, config, entry,
		"unknown key; there are a dtype (bf16, fp32 ...), bandwidth, per-core, source");
}

int settings_devices_of(struct arena *arena, const struct config *config,
			struct hardware_list *devices, struct error *err)
{
	for (size_t i = 0; i < config->count; i++) {
		const struct config_entry *entry = &config->entries[i];
		if (strcmp(entry->section, "device") != 0)
			continue;
		struct hardware *device = device_named(arena, devices, entry->subsection);
		if (set_device(config, entry, device, err) < 0)
			return -1;
	}
	return 0;
}

static struct work_rule *work_named(struct arena *arena, struct work_list *works,
				    const struct config *config, const struct config_entry *entry)
{
	for (size_t i = 0; i < works->count; i++)
		if (strcmp(works->items[i].name, entry->subsection) == 0)
			return &works->items[i];
	struct work_rule *work = arena_add(arena, works);
	*work = (struct work_rule){
		.name = entry->subsection,
		.kernel = entry->subsection[0] ? entry->subsection : "*",
		.source = arena_printf(arena, "%s:%d", config->path, entry->line),
	};
	return work;
}

static int set_work(const struct config *config, const struct config_entry *entry,
		    struct work_rule *work, struct error *err)
{
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
			return settings_policy_bad(err, config, entry, why.text);
		*keys[i].text = entry->value;
		return 0;
	}
	return settings_policy_bad(err, config, entry,
				   "unknown key; there are flops, bytes, kernel, variant");
}

int settings_works_of(struct arena *arena, const struct config *config, struct work_list *works,
		      struct error *err)
{
	for (size_t i = 0; i < config->count; i++) {
		const struct config_entry *entry = &config->entries[i];
		if (strcmp(entry->section, "work") != 0)
			continue;
		if (set_work(config, entry, work_named(arena, works, config, entry), err) < 0)
			return -1;
	}
	return 0;
}

static bool is_tool_class(const char *text)
{
	for (const char *c = text; *c; c++)
		if ((unsigned char)*c <= 0x20 || *c == 0x7f)
			return false;
	return text[0] && strlen(text) <= 64;
}

int settings_tools_of(struct arena *arena, const struct config *config,
		      struct tool_alias_list *tools, struct error *err)
{
	for (size_t i = 0; i < config->count; i++) {
		const struct config_entry *entry = &config->entries[i];
		size_t at = 0;
		if (strcmp(entry->section, "tool") != 0)
			continue;
		if (strcmp(entry->key, "as") != 0)
			return settings_policy_bad(err, config, entry, "unknown key; there is as");
		if (!is_tool_class(entry->subsection) || !is_tool_class(entry->value))
			return settings_policy_bad(
				err, config, entry,
				"expected tool classes such as [tool \"ntff\"] as = "
				"neuron-profile");
		while (at < tools->count && strcmp(tools->items[at].name, entry->subsection) != 0)
			at++;
		if (at == tools->count) {
			tools->items = arena_grow(arena, tools->items, tools->count,
						  &tools->capacity, sizeof *tools->items);
			tools->count++;
		}
		tools->items[at] = (struct settings_tool_alias){entry->subsection, entry->value};
	}
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
