/* JSON trees: strict parsing with cJSON, building and writing. */
#include "base/json/json.h"

#include <float.h>
#include <pthread.h>

#include <cjson/cJSON.h>

#include "base/json/check.h"
#include "base/text/text.h"

static const size_t json_size_limit = 64u << 20;
static pthread_mutex_t parsing = PTHREAD_MUTEX_INITIALIZER;

static struct json *node_new(struct arena *arena, enum json_type type)
{
	struct json *node = arena_new(arena, struct json);
	node->type = type;
	return node;
}

struct json *json_append(struct json *parent, struct json *child)
{
	assert(!parent->more);
	assert(parent->type == JSON_ARRAY || (parent->type == JSON_OBJECT && child->name));
	child->next = NULL;
	if (parent->last)
		parent->last->next = child;
	else
		parent->first = child;
	parent->last = child;
	parent->count++;
	return child;
}

static struct json *find(const struct json *object, const char *name)
{
	for (struct json *child = object->first; child; child = child->next)
		if (strcmp(child->name, name) == 0)
			return child;
	return NULL;
}

struct member {
	struct json *node;
	size_t index; /* among the members of its object */
};

static int compare_names(const void *a, const void *b)
{
	const struct member *left = a, *right = b;
	int order = strcmp(left->node->name, right->node->name);
	return order ? order : (left->index > right->index) - (left->index < right->index);
}

static int compare_indices(const void *a, const void *b)
{
	const struct member *left = a, *right = b;
	return (left->index > right->index) - (left->index < right->index);
}

/* Keeps the last of several members of the same name, at the position of the first. They are sorted
 * by name, so that the time does not grow with the square of the object's size. */
static void drop_duplicates(struct arena *arena, struct json *object)
{
	size_t count = 0, distinct = 0;
	struct member *members = arena_array(arena, object->count, sizeof *members);
	for (struct json *child = object->first; child; child = child->next, count++)
		members[count] = (struct member){child, count};
	qsort(members, count, sizeof *members, compare_names);
	for (size_t i = 0; i < count; i++)
		if (distinct &&
		    strcmp(members[distinct - 1].node->name, members[i].node->name) == 0)
			members[distinct - 1].node = members[i].node;
		else
			members[distinct++] = members[i];
	if (distinct == count)
		return;
	qsort(members, distinct, sizeof *members, compare_indices);
	object->first = object->last = NULL;
	object->count = 0;
	for (size_t i = 0; i < distinct; i++)
		json_append(object, members[i].node);
}

static struct json *convert(struct arena *arena, const cJSON *item, struct error *err);

static int convert_children(struct arena *arena, struct json *node, const cJSON *item,
			    struct error *err)
{
	const cJSON *it;
	cJSON_ArrayForEach(it, item)
	{
		struct json *child = convert(arena, it, err);
		if (!child)
			return it->string ? error_prefix(err, "\"%s\"", it->string) : -1;
		if (it->string)
			child->name = arena_strdup(arena, it->string);
		json_append(node, child);
	}
	if (node->type == JSON_OBJECT && node->count > 1)
		drop_duplicates(arena, node);
	return 0;
}

static struct json *convert(struct arena *arena, const cJSON *item, struct error *err)
{
	struct json *node = node_new(arena, JSON_NULL);
	if (cJSON_IsBool(item)) {
		node->type = JSON_BOOL;
		node->truth = cJSON_IsTrue(item);
	} else if (cJSON_IsNumber(item)) {
		node->type = JSON_NUMBER;
		node->number = item->valuedouble;
		if (!isfinite(node->number)) {
			error_set(err, ERR_FORMAT, "a number is too large for a double");
			return NULL;
		}
	} else if (cJSON_IsString(item)) {
		node->type = JSON_STRING;
		node->text = arena_strdup(arena, item->valuestring);
	} else if (cJSON_IsArray(item) || cJSON_IsObject(item)) {
		node->type = cJSON_IsArray(item) ? JSON_ARRAY : JSON_OBJECT;
		if (convert_children(arena, node, item, err) < 0)
			return NULL;
	}
	return node;
}

struct json *json_parse(struct arena *arena, struct span bytes, struct error *err)
{
	size_t bom = span_starts(bytes, "\xef\xbb\xbf") ? 3 : 0;
	if (bytes.len > json_size_limit) {
		error_set(err, ERR_FORMAT, "a JSON document of more than 64 MiB");
		return NULL;
	}
	if (span_trim(span_from(bytes, bom)).len == 0) {
		error_set(err, ERR_FORMAT, "the document is empty");
		return NULL;
	}
	const char *text = arena_strndup(arena, bytes.ptr, bytes.len), *end = NULL;
	if (json_check((struct span){text, bytes.len}, err) < 0)
		return NULL;
	/* cJSON stores the position of the latest error in a global variable. */
	pthread_mutex_lock(&parsing);
	cJSON *root = cJSON_ParseWithLengthOpts(text, bytes.len + 1, &end, true);
	pthread_mutex_unlock(&parsing);
	if (!root) {
		size_t at = end ? (size_t)(end - text) : bytes.len;
		json_fault(bytes, at, at >= bytes.len ? "the JSON ends too early" : "invalid JSON",
			   err);
		return NULL;
	}
	struct json *tree = convert(arena, root, err);
	cJSON_Delete(root);
	return tree;
}

struct json *json_get(const struct json *object, const char *name)
{
	return object && object->type == JSON_OBJECT ? find(object, name) : NULL;
}

struct json *json_first(const struct json *object, const char *name)
{
	const struct json *list = json_get(object, name);
	return list ? list->first : NULL;
}

const char *json_text(const struct json *object, const char *name, const char *fallback)
{
	const struct json *member = json_get(object, name);
	return member && member->type == JSON_STRING ? member->text : fallback;
}

bool json_truth(const struct json *object, const char *name)
{
	const struct json *member = json_get(object, name);
	return member && member->type == JSON_BOOL && member->truth;
}

double json_number(const struct json *object, const char *name, double fallback)
{
	const struct json *member = json_get(object, name);
	return member && member->type == JSON_NUMBER ? member->number : fallback;
}

double json_number_at(const struct json *array, size_t index)
{
	const struct json *at = array ? array->first : NULL;
	while (at && index--)
		at = at->next;
	return at && at->type == JSON_NUMBER ? at->number : NAN;
}

struct json *json_object(struct arena *arena)
{
	return node_new(arena, JSON_OBJECT);
}

struct json *json_array(struct arena *arena)
{
	return node_new(arena, JSON_ARRAY);
}

static struct json *set(struct arena *arena, struct json *object, const char *name,
			enum json_type type)
{
	struct json *child = node_new(arena, type);
	child->name = name;
	return json_append(object, child);
}

struct json *json_set_object(struct arena *arena, struct json *object, const char *name)
{
	return set(arena, object, name, JSON_OBJECT);
}

struct json *json_set_array(struct arena *arena, struct json *object, const char *name)
{
	return set(arena, object, name, JSON_ARRAY);
}

struct json *json_set_text(struct arena *arena, struct json *object, const char *name,
			   const char *text)
{
	struct json *child = set(arena, object, name, text ? JSON_STRING : JSON_NULL);
	if (text)
		child->text = arena_strdup(arena, text);
	return child;
}

struct json *json_set_number(struct arena *arena, struct json *object, const char *name,
			     double number)
{
	struct json *child = set(arena, object, name, isfinite(number) ? JSON_NUMBER : JSON_NULL);
	child->number = isfinite(number) ? number : 0;
	return child;
}

struct json *json_set_bool(struct arena *arena, struct json *object, const char *name, bool truth)
{
	struct json *child = set(arena, object, name, JSON_BOOL);
	child->truth = truth;
	return child;
}

void json_set_items(struct arena *arena, struct json *array, size_t count, struct json_items items)
{
	struct json_items *kept = arena_new(arena, struct json_items);
	assert(array->type == JSON_ARRAY && array->count <= count);
	*kept = items;
	array->items = kept;
	array->more = true;
	array->count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

struct json *json_add_object(struct arena *arena, struct json *array)
{
	return json_append(array, node_new(arena, JSON_OBJECT));
}

struct json *json_add_array(struct arena *arena, struct json *array)
{
	return json_append(array, json_array(arena));
}

struct json *json_add_text(struct arena *arena, struct json *array, const char *text)
{
	return json_set_text(arena, array, NULL, text);
}

struct json *json_add_number(struct arena *arena, struct json *array, double number)
{
	return json_set_number(arena, array, NULL, number);
}

/* \\u200b; code points beyond 16 bits are a pair of surrogates. */
static void add_escape(struct strbuf *out, uint32_t code_point)
{
	if (code_point < 0x10000)
		strbuf_addf(out, "\\u%04x", code_point);
	else
		strbuf_addf(out, "\\u%04x\\u%04x", 0xd7c0 + (code_point >> 10),
			    0xdc00 + (code_point & 0x3ff));
}

/* Adds the character beyond ASCII at `text` and returns its length in bytes. An invalid byte, which
 * names of files may contain, becomes U+FFFD. */
static size_t add_character(struct strbuf *out, const char *text, bool exact)
{
	uint32_t code_point;
	size_t len = utf8_next((struct span){text, strnlen(text, 4)}, &code_point);
	if (!len)
		strbuf_addstr(out, "\xef\xbf\xbd");
	else if (!exact && utf8_is_hidden(code_point))
		add_escape(out, code_point);
	else
		strbuf_add(out, text, len);
	return len ? len : 1;
}

static void add_string(struct strbuf *out, const char *text, bool exact)
{
	strbuf_addch(out, '"');
	for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
		if (*c >= 0x80) {
			c += add_character(out, (const char *)c, exact) - 1;
			continue;
		}
		if (*c == '"' || *c == '\\')
			strbuf_addf(out, "\\%c", *c);
		else if (*c == '\n')
			strbuf_addstr(out, "\\n");
		else if (*c == '\t')
			strbuf_addstr(out, "\\t");
		else if (*c < 0x20 || *c == 0x7f)
			add_escape(out, *c);
		else
			strbuf_addch(out, (char)*c);
	}
	strbuf_addch(out, '"');
}

void json_string(struct strbuf *out, const char *text)
{
	add_string(out, text, false);
}

static void write_number(struct strbuf *out, double number)
{
	char text[40];
	assert(isfinite(number));
	if (number == floor(number) && fabs(number) < 1e15) {
		strbuf_addf(out, "%.0f", number == 0 ? 0.0 : number);
		return;
	}
	/* %g removes trailing zeros, so starting with 15 digits (DBL_DIG) also finds shorter texts:
	 * a decimal of up to 15 digits survives the conversion to a double and back. That does not
	 * hold for subnormal numbers, so they start with one digit. */
	for (int digits = fabs(number) < DBL_MIN ? 1 : DBL_DIG; digits <= DBL_DECIMAL_DIG;
	     digits++) {
		snprintf(text, sizeof text, "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	strbuf_addstr(out, text);
}

struct json_walk json_walk_of(const struct json *list)
{
	return (struct json_walk){.list = list};
}

bool json_walk_next(struct json_walk *walk)
{
	const struct json *list = walk->list, *child = NULL;
	if (list && walk->index == 0)
		child = list->first;
	else if (list && !walk->made)
		child = walk->child->next;
	if (!child && list && list->more && walk->index < list->count) {
		arena_free(&walk->arena);
		child = list->items->item(list->items->context, &walk->arena, walk->index);
		walk->made = true;
	}
	walk->child = child;
	walk->index++;
	if (!child)
		json_walk_end(walk);
	return child;
}

void json_walk_end(struct json_walk *walk)
{
	arena_free(&walk->arena);
	*walk = (struct json_walk){.list = NULL};
}

void json_walk_keep(struct json_walk *walk, struct arena *arena)
{
	const struct json_items *items = walk->list->items;
	/* Made again: the visit's arena has the size of a block, which many items would add up to.
	 */
	if (walk->made)
		walk->child = items->item(items->context, arena, walk->index - 1);
}

struct writing {
	struct strbuf *out;
	bool compact;                     /* in one line */
	bool exact;                       /* texts as they are, but for what JSON forbids */
	const struct strbuf_drain *drain; /* may be NULL */
};

static void write_value(const struct writing *writing, const struct json *value, size_t level);

static void begin_line(const struct writing *writing, size_t level)
{
	if (writing->compact)
		return;
	strbuf_addch(writing->out, '\n');
	strbuf_repeat(writing->out, "  ", level);
}

static void write_children(const struct writing *writing, const struct json *value, size_t level)
{
	struct strbuf *out = writing->out;
	size_t count = 0;
	for (struct json_walk walk = json_walk_of(value); json_walk_next(&walk); count++) {
		if (count)
			strbuf_addch(out, ',');
		begin_line(writing, level + 1);
		if (walk.child->name) {
			add_string(out, walk.child->name, writing->exact);
			strbuf_addstr(out, writing->compact ? ":" : ": ");
		}
		write_value(writing, walk.child, level + 1);
		if (value->more && writing->drain)
			strbuf_drain_long(out, writing->drain);
	}
	if (count)
		begin_line(writing, level);
}

static void write_value(const struct writing *writing, const struct json *value, size_t level)
{
	struct strbuf *out = writing->out;
	switch (value->type) {
	case JSON_NULL:
		strbuf_addstr(out, "null");
		break;
	case JSON_BOOL:
		strbuf_addstr(out, value->truth ? "true" : "false");
		break;
	case JSON_NUMBER:
		write_number(out, value->number);
		break;
	case JSON_STRING:
		add_string(out, value->text, writing->exact);
		break;
	case JSON_ARRAY:
	case JSON_OBJECT:
		strbuf_addch(out, value->type == JSON_ARRAY ? '[' : '{');
		write_children(writing, value, level);
		strbuf_addch(out, value->type == JSON_ARRAY ? ']' : '}');
		break;
	}
}

void json_write(struct strbuf *out, const struct json *value, bool compact)
{
	json_write_long(out, value, compact, NULL);
}

void json_write_long(struct strbuf *out, const struct json *value, bool compact,
		     const struct strbuf_drain *drain)
{
	write_value(&(struct writing){.out = out, .compact = compact, .drain = drain}, value, 0);
}

void json_exact(struct strbuf *out, const struct json *value)
{
	write_value(&(struct writing){.out = out, .compact = true, .exact = true}, value, 0);
}

const char *json_plain(struct arena *arena, const struct json *value)
{
	struct strbuf sb = {0};
	if (value->type == JSON_STRING)
		return value->text;
	json_exact(&sb, value);
	return strbuf_into(&sb, arena);
}
