/*
 * A mustache template as a tree of nodes. This half of the engine handles delimiters, standalone
 * lines and indentation. Nodes live in the arena; their texts are slices of the template, which
 * must outlive them.
 */
#pragma once

#include "base/base.h"

enum template_kind {
	TEMPLATE_TEXT,     /* at most one line, with its line end */
	TEMPLATE_VARIABLE, /* {{name}} */
	TEMPLATE_RAW,      /* {{{name}}} or {{&name}} */
	TEMPLATE_SECTION,  /* {{#name}} */
	TEMPLATE_INVERTED, /* {{^name}} */
	TEMPLATE_PARTIAL,  /* {{>name}} */
	TEMPLATE_PARENT,   /* {{<name}}; its children that are blocks override the parent's */
	TEMPLATE_BLOCK     /* {{$name}} */
};

struct template_node {
	enum template_kind kind;
	struct span text; /* TEXT: itself; else the name, without "*" */
	bool dynamic;     /* {{>*name}}: the value of `name` is the name of the partial */
	bool line_start;  /* first on its line: preceded by the indentation */
	bool standalone;  /* PARTIAL, PARENT, BLOCK: the tag was alone on its line */
	/* PARTIAL and PARENT: the blanks before a standalone tag, added to every line of the
	 * partial. BLOCK: the blanks removed from the lines of its content (standalone), or the
	 * blanks before it. */
	struct span indent;
	unsigned line;
	struct template_node *first, *last, *next; /* children, siblings */
};

/* Returns the root, a SECTION node without a name; NULL and *err for an invalid template. */
struct template_node *template_parse(struct arena *arena, const char *name, struct span text,
				     struct error *err);
