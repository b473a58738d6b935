/*
 * Rendering walks the parsed nodes with a stack of contexts (the objects of the open sections), a
 * stack of overrides (the blocks given to the parents being rendered; the outermost wins), and the
 * indentation of the current partial.
 */
#include "render/markup/template.h"

#include "base/text/text.h"
#include "render/document/key.h"
#include "render/markup/escape.h"
#include "render/markup/template_parse.h"

enum { partial_depth_limit = 100, section_depth_limit = 1000 };
static const size_t step_limit = 10 * 1000 * 1000;
static const size_t output_limit = (size_t)256 << 20;

struct context {
	const struct json *value;
	const struct context *outer;
};

struct overrides {
	const struct template_node *parent; /* its block children */
	const struct overrides *outer;
};

struct cached {
	const char *name;
	const struct template_node *root;
	struct cached *next;
};

struct renderer {
	struct arena arena;
	const char *name; /* of the template or partial being rendered, for error messages */
	enum template_escape escape;
	template_partial *partial;
	void *partial_context;
	struct cached *cache;
	struct span indent;                /* of the current partial or block */
	const struct overrides *overrides; /* innermost */
	unsigned partial_depth, section_depth;
	size_t steps;
	size_t base; /* length of `out` before rendering; errors truncate to it */
	const struct strbuf_drain *drain; /* may be NULL */
	size_t listed;                    /* bytes of `out` that are items of long lists */
	struct strbuf *out;
	struct error *err;
};

static int render_children(struct renderer *renderer, const struct template_node *node,
			   const struct context *context);

static int fail(struct renderer *renderer, const struct template_node *node, const char *what)
{
	static const char *const sigils[] = {"", "", "&", "#", "^", ">", "<", "$"};
	int len = node->text.len > 60 ? 60 : (int)node->text.len;
	return error_set(renderer->err, ERR_FORMAT, "%s:%u: {{%s%s%.*s}}: %s", renderer->name,
			 node->line, sigils[node->kind], node->dynamic ? "*" : "", len,
			 node->text.ptr, what);
}

/* A member by name; in an array, an item by index. */
static const struct json *child_of(const struct json *value, struct span name)
{
	size_t index = 0;
	if (value->type == JSON_OBJECT) {
		for (const struct json *child = value->first; child; child = child->next)
			if (span_is(name, child->name))
				return child;
		return NULL;
	}
	if (value->type != JSON_ARRAY || name.len == 0 || name.len > 9)
		return NULL;
	for (size_t i = 0; i < name.len; i++) {
		if (name.ptr[i] < '0' || name.ptr[i] > '9')
			return NULL;
		index = index * 10 + (size_t)(name.ptr[i] - '0');
	}
	/* An item that is made on a visit has no index here: nothing would own it. */
	const struct json *child = value->first;
	while (child && index-- > 0)
		child = child->next;
	return child;
}

/* "a.b.c": `a` in the innermost context that has it; the rest strictly below it. */
static const struct json *lookup(const struct context *context, struct span name)
{
	const struct json *value = NULL;
	bool here = span_starts(name, ".");
	if (span_is(name, "."))
		return context->value;
	if (here) {
		name.ptr++;
		name.len--;
	}
	struct span first = span_cut(&name, '.');
	for (; context && !value; context = here ? NULL : context->outer)
		value = child_of(context->value, first);
	while (value && name.ptr)
		value = child_of(value, span_cut(&name, '.'));
	return value;
}

static bool is_true(const struct json *value)
{
	if (!value || value->type == JSON_NULL)
		return false;
	if (value->type == JSON_BOOL)
		return value->truth;
	if (value->type == JSON_STRING)
		return *value->text;
	return value->type != JSON_ARRAY || value->count;
}

/* Adds the indentation at the beginning of a line. */
static void begin_line(struct renderer *renderer, const struct template_node *node)
{
	const struct strbuf *out = renderer->out;
	bool at_start = out->len == renderer->base || out->buf[out->len - 1] == '\n';
	if (node->line_start && at_start)
		strbuf_addspan(renderer->out, renderer->indent);
}

/* After an item of a long list and at the start of a line, because the next line must not need what
 * the drain has taken. */
static void drain(struct renderer *renderer)
{
	struct strbuf *out = renderer->out;
	if (!renderer->drain || !out->len || out->buf[out->len - 1] != '\n')
		return;
	strbuf_drain_long(out, renderer->drain);
	if (!out->len)
		renderer->base = renderer->listed = 0;
}

static void render_text(struct renderer *renderer, const struct template_node *node)
{
	if (node->text.len == 0)
		return;
	if (!span_is(node->text, "\n") && !span_is(node->text, "\r\n"))
		begin_line(renderer, node);
	strbuf_addspan(renderer->out, node->text);
}

/* Whether the object, or an object in it, is that commit. */
static bool has_commit(const struct json *object, struct span id, unsigned depth)
{
	enum { depth_limit = 3 };
	for (const struct json *one = object->first; one; one = one->next) {
		bool named = strcmp(one->name, KEY(oid)) == 0 || strcmp(one->name, KEY(short)) == 0;
		if (one->type == JSON_STRING && named && span_is(id, one->text))
			return true;
		if (one->type == JSON_OBJECT && depth < depth_limit &&
		    has_commit(one, id, depth + 1))
			return true;
	}
	return false;
}

/* Whether the id is one of a commit that the data is about here, as opposed to a part of a name. */
static bool is_own_commit(const void *context, struct span id)
{
	for (const struct context *at = context; at; at = at->outer)
		if (at->value && at->value->type == JSON_OBJECT && has_commit(at->value, id, 0))
			return true;
	return false;
}

/* By convention "text" and "..._text" hold numbers as text, and "more" of a fact does. */
static bool is_quantity(const struct json *value)
{
	struct span name = span_of(value->name ? value->name : "");
	return span_is(name, "text") || span_ends(name, "_text") || span_is(name, "more");
}

static void render_value(struct renderer *renderer, const struct template_node *node,
			 const struct context *context)
{
	const struct json *value = lookup(context, node->text);
	struct strbuf text = {NULL, 0, 0};
	begin_line(renderer, node);
	if (!value || value->type == JSON_NULL)
		return;
	if (value->type == JSON_STRING && renderer->escape == TEMPLATE_ESCAPE_HTML &&
	    is_quantity(value))
		quantity_add_typeset(&text, span_of(value->text));
	else if (value->type == JSON_STRING)
		strbuf_addstr(&text, value->text);
	else
		json_write(&text, value, true);
	if (node->kind == TEMPLATE_RAW || renderer->escape == TEMPLATE_ESCAPE_NONE)
		strbuf_addspan(renderer->out, strbuf_span(&text));
	else if (renderer->escape == TEMPLATE_ESCAPE_HTML)
		html_text(renderer->out, strbuf_span(&text));
	else
		md_text_about(renderer->out, strbuf_span(&text),
			      &(struct md_ids){is_own_commit, context});
	strbuf_free(&text);
}

static int render_items(struct renderer *renderer, const struct template_node *node,
			const struct json *list, const struct context *context)
{
	int result = 0;
	struct json_walk walk = json_walk_of(list);
	while (result == 0 && json_walk_next(&walk)) {
		size_t steps = renderer->steps, length = renderer->out->len - renderer->listed;
		result = render_children(renderer, node, &(struct context){walk.child, context});
		if (!list->more)
			continue;
		/* The limits are those of an item: a list comes to an end, however long it is. */
		renderer->steps = steps;
		renderer->listed = renderer->out->len - length;
		drain(renderer);
	}
	json_walk_end(&walk);
	return result;
}

static int render_section(struct renderer *renderer, const struct template_node *node,
			  const struct context *context)
{
	const struct json *value = lookup(context, node->text);
	begin_line(renderer, node);
	if (is_true(value) == (node->kind == TEMPLATE_INVERTED))
		return 0;
	if (renderer->section_depth == section_depth_limit)
		return fail(renderer, node, "sections are nested deeper than 1000 levels");
	renderer->section_depth++;
	int result = 0;
	if (node->kind == TEMPLATE_INVERTED) {
		result = render_children(renderer, node, context);
	} else if (value->type == JSON_ARRAY) {
		result = render_items(renderer, node, value, context);
	} else {
		result = render_children(renderer, node, &(struct context){value, context});
	}
	renderer->section_depth--;
	return result;
}

/* Finds the parsed partial of a node; *root is NULL if there is none. */
static int find_partial(struct renderer *renderer, const struct template_node *node,
			const struct context *context, const struct cached **found)
{
	struct span name = node->text;
	*found = NULL;
	if (node->dynamic) {
		const struct json *value = lookup(context, node->text);
		if (!value || value->type != JSON_STRING)
			return 0;
		name = span_of(value->text);
	}
	for (struct cached *entry = renderer->cache; entry; entry = entry->next)
		if (span_is(name, entry->name)) {
			*found = entry->root ? entry : NULL;
			return 0;
		}
	struct cached *entry = arena_new(&renderer->arena, struct cached);
	entry->name = arena_strndup(&renderer->arena, name.ptr, name.len);
	const char *text = renderer->partial
				   ? renderer->partial(renderer->partial_context, entry->name)
				   : NULL;
	if (text) {
		text = arena_strdup(&renderer->arena, text);
		entry->root =
			template_parse(&renderer->arena, entry->name, span_of(text), renderer->err);
		if (!entry->root)
			return -1;
	}
	entry->next = renderer->cache;
	renderer->cache = entry;
	*found = text ? entry : NULL;
	return 0;
}

/* Renders other nodes in place of `node`, indented by an additional `indent`. */
static int render_elsewhere(struct renderer *renderer, const struct template_node *node,
			    const struct template_node *content, struct span indent,
			    const struct context *context)
{
	struct span old = renderer->indent;
	struct strbuf joined = {NULL, 0, 0};
	if (renderer->partial_depth == partial_depth_limit)
		return fail(renderer, node, "partials are nested deeper than 100 levels");
	if (indent.len) {
		strbuf_addspan(&joined, old);
		strbuf_addspan(&joined, indent);
		renderer->indent = strbuf_span(&joined);
	}
	renderer->partial_depth++;
	int result = render_children(renderer, content, context);
	renderer->partial_depth--;
	renderer->indent = old;
	strbuf_free(&joined);
	return result;
}

static int render_partial(struct renderer *renderer, const struct template_node *node,
			  const struct context *context)
{
	const struct cached *partial;
	struct span old_indent = renderer->indent;
	const char *old_name = renderer->name;
	begin_line(renderer, node);
	if (find_partial(renderer, node, context, &partial) < 0)
		return error_prefix(renderer->err, "%s:%u", renderer->name, node->line);
	if (!partial)
		return 0;
	if (!node->standalone)
		renderer->indent = (struct span){NULL, 0};
	struct overrides overrides = {node, renderer->overrides};
	if (node->kind == TEMPLATE_PARENT)
		renderer->overrides = &overrides;
	renderer->name = partial->name;
	int result = render_elsewhere(renderer, node, partial->root, node->indent, context);
	renderer->overrides = overrides.outer;
	renderer->name = old_name;
	renderer->indent = old_indent;
	return result;
}

/* The content of a block from the outermost parent that overrides it, or NULL. */
static const struct template_node *override_of(const struct renderer *renderer, struct span name)
{
	const struct template_node *found = NULL;
	for (const struct overrides *it = renderer->overrides; it; it = it->outer)
		for (const struct template_node *child = it->parent->first; child;
		     child = child->next)
			if (child->kind == TEMPLATE_BLOCK && span_eq(child->text, name))
				found = child;
	return found;
}

static int render_block(struct renderer *renderer, const struct template_node *node,
			const struct context *context)
{
	const struct template_node *content = override_of(renderer, node->text);
	struct span indent = node->indent;
	begin_line(renderer, node);
	if (!content) {
		content = node;
		if (!node->standalone)
			indent.len = 0;
	}
	return render_elsewhere(renderer, node, content, indent, context);
}

static int render_node(struct renderer *renderer, const struct template_node *node,
		       const struct context *context)
{
	if (++renderer->steps > step_limit || renderer->out->len - renderer->listed > output_limit)
		return fail(renderer, node, "the template does not terminate");
	switch (node->kind) {
	case TEMPLATE_TEXT:
		render_text(renderer, node);
		return 0;
	case TEMPLATE_VARIABLE:
	case TEMPLATE_RAW:
		render_value(renderer, node, context);
		return 0;
	case TEMPLATE_SECTION:
	case TEMPLATE_INVERTED:
		return render_section(renderer, node, context);
	case TEMPLATE_PARTIAL:
	case TEMPLATE_PARENT:
		return render_partial(renderer, node, context);
	case TEMPLATE_BLOCK:
		return render_block(renderer, node, context);
	}
	return 0;
}

static int render_children(struct renderer *renderer, const struct template_node *node,
			   const struct context *context)
{
	for (const struct template_node *child = node->first; child; child = child->next)
		if (render_node(renderer, child, context) < 0)
			return -1;
	return 0;
}

int template_run(const struct template_call *call, struct strbuf *out, struct error *err)
{
	struct renderer renderer = {
		.name = call->name,
		.escape = call->escape,
		.partial = call->partial,
		.partial_context = call->context,
		.base = out->len,
		.drain = call->drain,
		.out = out,
		.err = err,
	};
	struct template_node *root = template_parse(&renderer.arena, call->name, call->text, err);
	int result = -1;
	if (root)
		result = render_children(&renderer, root, &(struct context){call->data, NULL});
	if (result < 0)
		strbuf_truncate(out, renderer.base);
	arena_free(&renderer.arena);
	return result;
}

int template_render(const char *name, struct span text, const struct json *data,
		    enum template_escape escape, template_partial *partial, void *context,
		    struct strbuf *out, struct error *err)
{
	const struct template_call call = {.name = name,
					   .text = text,
					   .data = data,
					   .escape = escape,
					   .partial = partial,
					   .context = context};
	return template_run(&call, out, err);
}
