/*
 * The parser walks from tag to tag with a stack of open sections. A tag is standalone if its line
 * contains only blanks otherwise; then the line is removed. Inheritance tags may share a line
 * ({{<parent}}{{$block}}). The content of a block loses its own indentation here, so that
 * rendering can indent it where it appears.
 */
#include "render/markup/template_parse.h"

#include <ctype.h>

#include "base/base.h"

enum { depth_limit = 200 };

struct parser {
	struct arena *arena;
	const char *name;
	struct span text;
	size_t at;        /* offset; everything before is parsed */
	size_t text_from; /* offset; everything before is in nodes */
	size_t counted;   /* offset of the byte whose line number is `line` */
	unsigned line;
	struct span open, close; /* delimiters */
	struct template_node *stack[depth_limit];
	bool starts_line[depth_limit];             /* only blanks and inheritance tags precede it */
	struct template_node *blanks[depth_limit]; /* the text before {{<parent}}, or NULL */
	size_t depth;
	struct error *err;
};

/* A tag: its bytes, its sigil (0 for a variable) and the trimmed text inside. */
struct tag {
	size_t begin, end;
	char sigil;
	struct span content;
};

static unsigned line_of(struct parser *parser, size_t at)
{
	for (; parser->counted < at; parser->counted++)
		if (parser->text.ptr[parser->counted] == '\n')
			parser->line++;
	return parser->line;
}

static int fail(struct parser *parser, const struct tag *tag, const char *what)
{
	int len = tag->end - tag->begin > 60 ? 60 : (int)(tag->end - tag->begin);
	return error_set(parser->err, ERR_FORMAT, "%s:%u: %.*s: %s", parser->name,
			 line_of(parser, tag->begin), len, parser->text.ptr + tag->begin, what);
}

static bool at_line_start(const struct parser *parser, size_t at)
{
	return at == 0 || parser->text.ptr[at - 1] == '\n';
}

/* The start of the blanks that end at `at`. */
static size_t blanks_before(const struct parser *parser, size_t at)
{
	while (at > 0 && ascii_is_blank(parser->text.ptr[at - 1]))
		at--;
	return at;
}

/* The offset after the line end if only blanks remain on the line, otherwise `at`. */
static size_t line_rest(const struct parser *parser, size_t at)
{
	size_t end = at;
	while (end < parser->text.len && ascii_is_blank(parser->text.ptr[end]))
		end++;
	if (end == parser->text.len)
		return end;
	if (parser->text.ptr[end] == '\r' && end + 1 < parser->text.len)
		end++;
	return parser->text.ptr[end] == '\n' ? end + 1 : at;
}

static bool ends_line(const struct parser *parser, size_t at)
{
	return at == parser->text.len || line_rest(parser, at) != at;
}

static struct template_node *add_node(struct parser *parser, enum template_kind kind, size_t begin)
{
	struct template_node *node = arena_new(parser->arena, struct template_node);
	struct template_node *parent = parser->stack[parser->depth - 1];
	node->kind = kind;
	node->line_start = at_line_start(parser, begin);
	node->line = line_of(parser, begin);
	if (parent->last)
		parent->last->next = node;
	else
		parent->first = node;
	parent->last = node;
	return node;
}

/* Adds the text up to `end`, one node per line. */
static void add_text(struct parser *parser, size_t end)
{
	while (parser->text_from < end) {
		const char *begin = parser->text.ptr + parser->text_from;
		size_t len = end - parser->text_from;
		const char *newline = memchr(begin, '\n', len);
		if (newline)
			len = (size_t)(newline - begin) + 1;
		add_node(parser, TEMPLATE_TEXT, parser->text_from)->text =
			(struct span){begin, len};
		parser->text_from += len;
	}
}

static size_t find_from(struct span text, size_t from, struct span needle)
{
	const char *found = memmem(text.ptr + from, text.len - from, needle.ptr, needle.len);
	return found ? (size_t)(found - text.ptr) : text.len;
}

/* Finds the next tag; false at the end of the template, or with *broken set if the tag is not
 * closed. */
static bool next_tag(struct parser *parser, struct tag *tag, bool *broken)
{
	struct span text = parser->text;
	tag->begin = parser->at < text.len ? find_from(text, parser->at, parser->open) : text.len;
	if (tag->begin == text.len)
		return false;
	size_t from = tag->begin + parser->open.len;
	tag->sigil = from < text.len && strchr("#^/>&{!=<$", text.ptr[from]) ? text.ptr[from] : 0;
	if (tag->sigil)
		from++;
	char closing[2] = {tag->sigil == '{' ? '}' : '=', '\0'};
	bool paired = tag->sigil == '{' || tag->sigil == '=';
	size_t inner = paired ? find_from(text, from, span_of(closing)) : from;
	/* {{{name}}}: the first closing delimiter after the brace. */
	size_t end = inner < text.len ? find_from(text, inner + (paired ? 1 : 0), parser->close)
				      : text.len;
	*broken = end == text.len;
	if (*broken) {
		tag->end = text.len;
		return false;
	}
	tag->content = span_trim((struct span){text.ptr + from, (paired ? inner : end) - from});
	tag->end = end + parser->close.len;
	if (paired && span_trim((struct span){text.ptr + inner + 1, end - inner - 1}).len)
		*broken = true;
	return !*broken;
}

/* Ends the text before a tag. A standalone tag consumes the blanks and the line end of its line;
 * returns the blanks. */
static struct span skip_line(struct parser *parser, const struct tag *tag, bool *standalone)
{
	size_t begin = blanks_before(parser, tag->begin);
	struct span blanks = {parser->text.ptr + begin, tag->begin - begin};
	*standalone = at_line_start(parser, begin) && begin >= parser->text_from &&
		      ends_line(parser, tag->end);
	add_text(parser, *standalone ? begin : tag->begin);
	parser->at = *standalone ? line_rest(parser, tag->end) : tag->end;
	parser->text_from = parser->at;
	return blanks;
}

static int parse_delimiters(struct parser *parser, const struct tag *tag)
{
	struct span rest = tag->content;
	size_t open = 0, close = rest.len;
	while (open < rest.len && !isspace((unsigned char)rest.ptr[open]))
		open++;
	while (close > open && !isspace((unsigned char)rest.ptr[close - 1]))
		close--;
	bool blank_between = span_trim((struct span){rest.ptr + open, close - open}).len == 0;
	if (open == 0 || close == rest.len || close == open || !blank_between)
		return fail(parser, tag, "two delimiters with a blank between are expected");
	parser->open = (struct span){rest.ptr, open};
	parser->close = span_from(rest, close);
	return 0;
}

/* "* name" without its star. */
static struct span undynamic(struct span content)
{
	if (!span_starts(content, "*"))
		return content;
	return span_trim(span_from(content, 1));
}

static int check_name(struct parser *parser, const struct tag *tag, struct span name)
{
	if (name.len == 0)
		return fail(parser, tag, "tag without a name");
	for (size_t i = 0; i < name.len; i++)
		if (isspace((unsigned char)name.ptr[i]))
			return fail(parser, tag, "a name with a blank inside");
	return 0;
}

static int push(struct parser *parser, const struct tag *tag, struct template_node *node)
{
	if (parser->depth == depth_limit)
		return fail(parser, tag, "sections are nested deeper than 200 levels");
	parser->starts_line[parser->depth] = false;
	parser->blanks[parser->depth] = NULL;
	parser->stack[parser->depth++] = node;
	return 0;
}

static void set_name(struct template_node *node, struct span content)
{
	node->dynamic = span_starts(content, "*");
	node->text = node->dynamic ? undynamic(content) : content;
}

/* Whether only blanks and opening tags of parents precede the tag on its line. */
static bool follows_parents(const struct parser *parser, size_t begin)
{
	const struct template_node *node = parser->stack[parser->depth - 1];
	size_t start = blanks_before(parser, begin);
	if (at_line_start(parser, start))
		return true;
	return node->kind == TEMPLATE_PARENT && !node->first && start <= parser->text_from &&
	       parser->starts_line[parser->depth - 1];
}

/* {{$block}}: also standalone directly after {{<parent}}. */
static int parse_block(struct parser *parser, const struct tag *tag)
{
	size_t begin = blanks_before(parser, tag->begin);
	bool own_line = at_line_start(parser, begin);
	bool standalone = follows_parents(parser, tag->begin) && ends_line(parser, tag->end);

	add_text(parser, own_line && standalone ? begin : tag->begin);
	struct template_node *node = add_node(parser, TEMPLATE_BLOCK, tag->begin);
	node->text = tag->content;
	node->standalone = standalone;
	node->line_start = node->line_start && !standalone;
	if (own_line)
		node->indent = (struct span){parser->text.ptr + begin, tag->begin - begin};
	parser->at = standalone ? line_rest(parser, tag->end) : tag->end;
	parser->text_from = parser->at;
	return push(parser, tag, node);
}

/* {{<parent}}: its closing tag decides whether it is standalone. */
static int parse_parent(struct parser *parser, const struct tag *tag)
{
	size_t begin = blanks_before(parser, tag->begin);
	bool own_line = at_line_start(parser, begin);
	struct template_node *above = parser->stack[parser->depth - 1];

	add_text(parser, tag->begin);
	struct template_node *blanks = own_line && begin < tag->begin ? above->last : NULL;
	struct template_node *node = add_node(parser, TEMPLATE_PARENT, tag->begin);
	set_name(node, tag->content);
	parser->at = parser->text_from = tag->end;
	if (push(parser, tag, node) < 0)
		return -1;
	parser->starts_line[parser->depth - 1] = own_line;
	parser->blanks[parser->depth - 1] = blanks;
	return 0;
}

static int parse_open_section(struct parser *parser, const struct tag *tag)
{
	bool standalone;
	skip_line(parser, tag, &standalone);
	struct template_node *node = add_node(
		parser, tag->sigil == '#' ? TEMPLATE_SECTION : TEMPLATE_INVERTED, tag->begin);
	node->line_start = node->line_start && !standalone;
	node->text = tag->content;
	return push(parser, tag, node);
}

/* Removes up to `len` leading blanks from every line of a block's content. */
static void cut_indent(struct template_node *node, size_t len)
{
	for (struct template_node *child = node->first; child; child = child->next) {
		struct span *cut = NULL;
		if (child->kind == TEMPLATE_TEXT && child->line_start)
			cut = &child->text;
		else if (child->kind >= TEMPLATE_PARTIAL)
			cut = &child->indent;
		for (size_t i = 0; cut && i < len && cut->len && ascii_is_blank(*cut->ptr); i++) {
			cut->ptr++;
			cut->len--;
		}
		if (child->kind == TEMPLATE_SECTION || child->kind == TEMPLATE_INVERTED ||
		    (child->kind == TEMPLATE_BLOCK && !child->standalone))
			cut_indent(child, len);
	}
}

/* The leading blanks of the first nonblank line; false if there is none. */
static bool first_indent(const struct template_node *node, struct span *indent)
{
	for (const struct template_node *child = node->first; child; child = child->next) {
		size_t blanks = 0;
		while (blanks < child->text.len && ascii_is_blank(child->text.ptr[blanks]))
			blanks++;
		if (child->kind == TEMPLATE_TEXT) {
			if (span_trim(child->text).len == 0 && span_ends(child->text, "\n"))
				continue;
			*indent = (struct span){child->text.ptr, blanks};
			return true;
		}
		if (child->standalone) {
			*indent = child->indent;
			return true;
		}
		bool section = child->kind == TEMPLATE_SECTION || child->kind == TEMPLATE_INVERTED;
		if (section && !child->line_start) {
			if (first_indent(child, indent))
				return true;
			continue;
		}
		*indent = (struct span){child->text.ptr, 0};
		return true;
	}
	return false;
}

/* "  {{/block}}{{/parent}}": the blanks are layout, not content. */
static void drop_last_blanks(const struct parser *parser, struct template_node *block, size_t at)
{
	struct template_node *last = block->last;
	bool in_parent = parser->stack[parser->depth - 2]->kind == TEMPLATE_PARENT;
	if (in_parent && at_line_start(parser, blanks_before(parser, at)) && last &&
	    last->kind == TEMPLATE_TEXT && last->line_start && span_trim(last->text).len == 0 &&
	    !span_ends(last->text, "\n"))
		last->text.len = 0;
}

static void close_block(struct parser *parser, struct template_node *block, const struct tag *tag)
{
	bool standalone;
	skip_line(parser, tag, &standalone);
	if (!standalone)
		drop_last_blanks(parser, block, tag->begin);
	if (!block->standalone)
		return;
	first_indent(block, &block->indent);
	cut_indent(block, block->indent.len);
}

static void close_parent(struct parser *parser, struct template_node *parent, const struct tag *tag)
{
	struct template_node *blanks = parser->blanks[parser->depth - 1];
	add_text(parser, tag->begin);
	parent->standalone = parser->starts_line[parser->depth - 1] && ends_line(parser, tag->end);
	parser->at = parent->standalone ? line_rest(parser, tag->end) : tag->end;
	parser->text_from = parser->at;
	if (!parent->standalone)
		return;
	parent->line_start = false;
	if (blanks) {
		parent->indent = blanks->text;
		blanks->text.len = 0;
	}
}

static int parse_close(struct parser *parser, const struct tag *tag)
{
	struct template_node *node = parser->stack[parser->depth - 1];
	struct template_node wanted = {0};
	bool standalone;
	set_name(&wanted, tag->content);
	if (parser->depth == 1)
		return fail(parser, tag, "no open section to close");
	if (!span_eq(node->text, wanted.text) || node->dynamic != wanted.dynamic) {
		int len = node->text.len > 60 ? 60 : (int)node->text.len;
		char what[120];
		snprintf(what, sizeof what, "\"%.*s\" of line %u is open", len, node->text.ptr,
			 node->line);
		return fail(parser, tag, what);
	}
	if (node->kind == TEMPLATE_BLOCK)
		close_block(parser, node, tag);
	else if (node->kind == TEMPLATE_PARENT)
		close_parent(parser, node, tag);
	else
		skip_line(parser, tag, &standalone);
	parser->depth--;
	return 0;
}

static int parse_partial(struct parser *parser, const struct tag *tag)
{
	bool standalone;
	struct span blanks = skip_line(parser, tag, &standalone);
	struct template_node *node = add_node(parser, TEMPLATE_PARTIAL, tag->begin);
	set_name(node, tag->content);
	node->standalone = standalone;
	node->line_start = node->line_start && !standalone;
	if (standalone)
		node->indent = blanks;
	return 0;
}

static int parse_variable(struct parser *parser, const struct tag *tag)
{
	add_text(parser, tag->begin);
	struct template_node *node =
		add_node(parser, tag->sigil ? TEMPLATE_RAW : TEMPLATE_VARIABLE, tag->begin);
	node->text = tag->content;
	parser->at = parser->text_from = tag->end;
	return 0;
}

static int parse_tag(struct parser *parser, const struct tag *tag)
{
	bool standalone;
	if (tag->sigil == '!' || tag->sigil == '=') {
		skip_line(parser, tag, &standalone);
		return tag->sigil == '=' ? parse_delimiters(parser, tag) : 0;
	}
	bool may_be_dynamic = tag->sigil == '>' || tag->sigil == '<' || tag->sigil == '/';
	if (check_name(parser, tag, may_be_dynamic ? undynamic(tag->content) : tag->content) < 0)
		return -1;
	switch (tag->sigil) {
	case '#':
	case '^':
		return parse_open_section(parser, tag);
	case '<':
		return parse_parent(parser, tag);
	case '$':
		return parse_block(parser, tag);
	case '/':
		return parse_close(parser, tag);
	case '>':
		return parse_partial(parser, tag);
	default:
		return parse_variable(parser, tag);
	}
}

static void fail_open(struct parser *parser, const struct template_node *open)
{
	static const char sigils[] = "...#^><$";
	int len = open->text.len > 60 ? 60 : (int)open->text.len;
	error_set(parser->err, ERR_FORMAT, "%s:%u: {{%c%s%.*s}}: the section is not closed",
		  parser->name, open->line, sigils[open->kind], open->dynamic ? "*" : "", len,
		  open->text.ptr);
}

struct template_node *template_parse(struct arena *arena, const char *name, struct span text,
				     struct error *err)
{
	struct parser parser = {.arena = arena, .name = name, .text = text, .line = 1, .err = err};
	struct tag tag;
	bool broken = false;
	parser.open = span_of("{{");
	parser.close = span_of("}}");
	parser.stack[parser.depth++] = arena_new(arena, struct template_node);
	parser.stack[0]->kind = TEMPLATE_SECTION;
	while (next_tag(&parser, &tag, &broken))
		if (parse_tag(&parser, &tag) < 0)
			return NULL;
	if (broken) {
		fail(&parser, &tag, "unclosed tag");
		return NULL;
	}
	if (parser.depth > 1) {
		fail_open(&parser, parser.stack[parser.depth - 1]);
		return NULL;
	}
	add_text(&parser, text.len);
	return parser.stack[0];
}
