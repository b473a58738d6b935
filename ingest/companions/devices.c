/*
 * Reader of devices.json: peaks of devices, by name or as a list.
 *
 *   {"my-gpu": {"peak_tflops": 312, "peak_gbps": 1555}}
 *   {"devices": [{"name": "my-gpu", "peak_flops": {"bf16": "312 TFLOP/s", "fp32": 19.5e12},
 *                 "bandwidth": "1555 GB/s", "clock_mhz": 1410}]}
 *
 *   key                      value
 *   peak_tflops, peak_flops  number in 1e12 FLOP/s, FLOP/s: the dense bf16 peak; or object by dtype
 *   peak_gbps, bandwidth     number in 1e9 B/s, B/s
 *   clock_mhz, clock         number in 1e6 Hz, Hz
 *   title, source            text
 *   aliases                  text or list, without blanks
 *   per_core                 true: the peaks are those of one physical core
 *   confidence               "low", "medium" or "high"
 *
 * A text states its own unit. Unknown keys are skipped. Implausible values are refused, because
 * their unit is probably wrong. Missing values stay NAN. If the built-in table has the device, its
 * title and per_core apply unless they are given.
 */

#include "base/json/json.h"
#include "base/text/text.h"
#include "ingest/json/document/peek.h"
#include "ingest/reader.h"

static const size_t size_limit = 1u << 20;
enum { device_limit = 1024 };

/* The keys of a device, in the order in which they are read. */
static const struct key {
	const char *name;
	enum { PEAK, QUANTITY, TEXT, ALIASES, TRUTH, CONFIDENCE } kind;
	size_t offset; /* in struct hardware */
	/* For numbers: the unit, the scale if none is given, the plausible range in base units */
	enum unit unit;
	double scale, minimum, maximum;
	const char *example;
} keys[] = {
	{"peak_tflops", PEAK, 0, UNIT_FLOP_PER_SECOND, 1e12, 1e6, 1e21, "312 TFLOP/s"},
	{"peak_flops", PEAK, 0, UNIT_FLOP_PER_SECOND, 1, 1e6, 1e21, "312 TFLOP/s"},
	{"peak_gbps", QUANTITY, offsetof(struct hardware, bandwidth), UNIT_BYTE_PER_SECOND, 1e9,
	 1e6, 1e18, "1555 GB/s"},
	{"bandwidth", QUANTITY, offsetof(struct hardware, bandwidth), UNIT_BYTE_PER_SECOND, 1, 1e6,
	 1e18, "1555 GB/s"},
	{"clock_mhz", QUANTITY, offsetof(struct hardware, clock), UNIT_HERTZ, 1e6, 1e3, 1e12,
	 "1.4 GHz"},
	{"clock", QUANTITY, offsetof(struct hardware, clock), UNIT_HERTZ, 1, 1e3, 1e12, "1.4 GHz"},
	{"title", TEXT, .offset = offsetof(struct hardware, title)},
	{"source", TEXT, .offset = offsetof(struct hardware, source)},
	{"aliases", ALIASES, .offset = offsetof(struct hardware, aliases)},
	{"per_core", TRUTH, .offset = offsetof(struct hardware, per_core)},
	{"confidence", CONFIDENCE, .offset = offsetof(struct hardware, confidence)},
};

struct reading {
	struct arena *arena;
	const char *path; /* of the current device, for messages */
	struct hardware_list devices;
};

static int fail(const char *path, const char *key, const char *what, struct error *err)
{
	return error_set(err, ERR_FORMAT, "%.200s.%.80s: %s", path, key, what);
}

static bool parse(const struct json *node, const struct key *key, double *number)
{
	if (node->type == JSON_NUMBER) {
		*number = node->number * key->scale;
		return true;
	}
	if (node->type != JSON_STRING)
		return false;
	struct span text = span_trim(span_of(node->text));
	if (!span_number(text, number))
		return quantity_parse(text, key->unit, number);
	*number *= key->scale;
	return true;
}

/* Reads a quantity; *number must be unknown before, since a device may give it by one key only. */
static int read_quantity(const char *path, const struct json *node, const struct key *key,
			 double *number, struct error *err)
{
	double value;
	struct strbuf shown = {0};
	if (node->type == JSON_NULL)
		return 0;
	if (!parse(node, key, &value))
		return error_set(err, ERR_FORMAT,
				 "%.200s.%.80s: expected a number, or a string such as \"%s\"",
				 path, node->name, key->example);
	if (!(value >= key->minimum && value <= key->maximum)) {
		quantity_add(&shown, value, key->unit);
		error_set(err, ERR_FORMAT,
			  "%.200s.%.80s: %s is not a plausible peak; numbers without a unit count "
			  "as %g %s",
			  path, node->name, strbuf_text(&shown), key->scale,
			  quantity_unit_symbol(key->unit));
		strbuf_free(&shown);
		return -1;
	}
	if (!isnan(*number))
		return fail(path, node->name, "duplicate peak", err);
	*number = value;
	return 0;
}

/* Peaks by dtype. Unknown dtypes are skipped; if all are unknown, it is an error. */
static int read_dtypes(const char *path, const struct json *object, const struct key *key,
		       struct hardware *device, struct error *err)
{
	char inside[320];
	bool any = false;
	snprintf(inside, sizeof inside, "%.200s.%.80s", path, key->name);
	for (const struct json *node = object->first; node; node = node->next) {
		enum dtype dtype = dtype_find(node->name);
		if (dtype == DTYPE_LIMIT)
			continue;
		any = true;
		if (read_quantity(inside, node, key, &device->peak_flops[dtype], err) < 0)
			return -1;
	}
	if (!any)
		return fail(path, key->name, "no known dtype (bf16, fp16, fp32 ...)", err);
	return 0;
}

/* --- texts and booleans --- */

static bool is_plain(const char *text)
{
	for (const char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			return false;
	return *text;
}

static int add_alias(struct strbuf *list, const struct json *node, const char *path,
		     struct error *err)
{
	if (node->type != JSON_STRING || !is_plain(node->text) || strchr(node->text, ' '))
		return fail(path, "aliases", "an alias must be a string without spaces", err);
	strbuf_addf(list, "%s%s", list->len ? " " : "", node->text);
	return 0;
}

static int read_aliases(const struct reading *r, const struct json *node, const char **aliases,
			struct error *err)
{
	struct strbuf list = {0};
	int rc = 0;
	if (node->type != JSON_ARRAY)
		rc = add_alias(&list, node, r->path, err);
	for (const struct json *item = node->first; item && rc == 0; item = item->next)
		rc = add_alias(&list, item, r->path, err);
	if (rc == 0 && list.len)
		*aliases = strbuf_into(&list, r->arena);
	strbuf_free(&list);
	return rc;
}

static int read_confidence(const char *path, const struct json *node, enum confidence *confidence,
			   struct error *err)
{
	for (int i = CONFIDENCE_LOW; i <= CONFIDENCE_HIGH; i++)
		if (strcmp(node->text, hardware_confidence_name((enum confidence)i)) == 0) {
			*confidence = (enum confidence)i;
			return 0;
		}
	return fail(path, node->name, "expected \"low\", \"medium\" or \"high\"", err);
}

static int read_key(const struct reading *r, const struct key *key, const struct json *node,
		    struct hardware *device, struct error *err)
{
	void *member = (char *)device + key->offset;
	bool text = key->kind == TEXT || key->kind == CONFIDENCE;
	if (text && (node->type != JSON_STRING || !is_plain(node->text)))
		return fail(r->path, key->name, "expected one line of text", err);
	switch (key->kind) {
	case PEAK:
		if (node->type == JSON_OBJECT)
			return read_dtypes(r->path, node, key, device, err);
		return read_quantity(r->path, node, key, &device->peak_flops[DTYPE_BF16], err);
	case QUANTITY:
		return read_quantity(r->path, node, key, member, err);
	case TEXT:
		*(const char **)member = node->text;
		return 0;
	case ALIASES:
		return read_aliases(r, node, member, err);
	case CONFIDENCE:
		return read_confidence(r->path, node, member, err);
	case TRUTH:
		if (node->type != JSON_BOOL)
			return fail(r->path, key->name, "expected true or false", err);
		*(bool *)member = node->truth;
	}
	return 0;
}

/* --- a device --- */

static struct hardware hardware_of(const char *name)
{
	const struct hardware *known = hardware_find(NULL, name);
	struct hardware device = {
		.name = name,
		.title = known ? known->title : name,
		.aliases = "",
		.per_core = known && known->per_core,
		.bandwidth = NAN,
		.clock = NAN,
		.source = "devices.json",
		.confidence = CONFIDENCE_MEDIUM,
	};
	for (int i = 0; i < DTYPE_LIMIT; i++)
		device.peak_flops[i] = NAN;
	return device;
}

static bool has_peak(const struct hardware *device)
{
	bool any = !isnan(device->bandwidth);
	for (int i = 0; i < DTYPE_LIMIT; i++)
		any |= !isnan(device->peak_flops[i]);
	return any;
}

static int add_device(struct reading *r, const struct hardware *device, struct error *err)
{
	struct hardware_list *list = &r->devices;
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i].name, device->name) == 0)
			return error_set(err, ERR_FORMAT, "%.200s: duplicate device \"%.80s\"",
					 r->path, device->name);
	if (list->count == device_limit)
		return error_set(err, ERR_FORMAT, "%.200s: more than %d devices", r->path,
				 (int)device_limit);
	*arena_add(r->arena, list) = *device;
	return 0;
}

static int read_device(struct reading *r, const struct json *object, const char *name,
		       struct error *err)
{
	if (!name || !is_plain(name))
		return error_set(err, ERR_FORMAT, "%.200s: the device has no name", r->path);
	struct hardware device = hardware_of(name);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const struct json *node = json_get(object, keys[i].name);
		if (node && node->type != JSON_NULL &&
		    read_key(r, &keys[i], node, &device, err) < 0)
			return -1;
	}
	if (!has_peak(&device))
		return error_set(err, ERR_FORMAT,
				 "%.200s: the device has neither peak_tflops nor peak_gbps",
				 r->path);
	return add_device(r, &device, err);
}

/* --- the document --- */

static bool is_device_key(struct span name)
{
	return span_is(name, "peak_tflops") || span_is(name, "peak_flops") ||
	       span_is(name, "peak_gbps");
}

static bool looks_like_device(const struct json *node)
{
	return node->type == JSON_OBJECT &&
	       (json_get(node, "peak_tflops") || json_get(node, "peak_flops") ||
		json_get(node, "peak_gbps") || json_get(node, "bandwidth"));
}

/* {"<name>": {...}}; members without a peak are comments. */
static int read_by_name(struct reading *r, const struct json *object, const char *prefix,
			struct error *err)
{
	for (const struct json *node = object->first; node; node = node->next) {
		r->path = arena_printf(r->arena, "%s%s", prefix, node->name);
		if (looks_like_device(node) && read_device(r, node, node->name, err) < 0)
			return -1;
	}
	return 0;
}

static int read_list(struct reading *r, const struct json *list, struct error *err)
{
	size_t index = 0;
	for (const struct json *node = list->first; node; node = node->next) {
		r->path = arena_printf(r->arena, "devices[%zu]", index++);
		if (node->type != JSON_OBJECT)
			return error_set(err, ERR_FORMAT, "%s: expected an object", r->path);
		if (read_device(r, node, json_text(node, "name", NULL), err) < 0)
			return -1;
	}
	return 0;
}

static int read_devices(struct arena *arena, struct input *input, struct ingest_result *result,
			struct error *err)
{
	struct reading r = {.arena = arena, .path = ""};
	const struct json *root = input_read_json(arena, input, size_limit, err);
	if (!root)
		return -1;
	const struct json *devices = json_get(root, "devices");
	int rc = devices && devices->type == JSON_ARRAY ? read_list(&r, devices, err)
		 : devices && devices->type == JSON_OBJECT
			 ? read_by_name(&r, devices, "devices.", err)
			 : read_by_name(&r, root, "", err);
	if (rc < 0)
		return -1;
	if (r.devices.count == 0)
		return error_set(err, ERR_FORMAT, "no device with a peak rate");
	for (size_t i = 0; i < r.devices.count; i++) {
		struct hardware_list *all = &result->devices;
		*arena_add(arena, all) = r.devices.items[i];
	}
	return 0;
}

/* Whether the document has a peak at the position of a device's member. */
static bool detect(struct span head)
{
	struct json_peek peek = json_peek_of(head);
	struct json_peek_value value;
	while (json_peek_next(&peek, &value)) {
		bool in_devices = value.depth >= 2 && span_is(peek.open[1].name, "devices");
		bool in_device = value.depth == (in_devices ? 3 : 2);
		if (value.depth == 0 && value.kind != '{')
			return false;
		if (value.is_item || !in_device || peek.open[value.depth - 1].is_array)
			continue;
		if (is_device_key(value.name) || (in_devices && span_is(value.name, "bandwidth")))
			return true;
	}
	return false;
}

const struct reader devices_reader = {"devices", "devices.json", 0, detect, read_devices};
