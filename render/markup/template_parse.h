/*
 * A mustache template as a tree of nodes: the half of render/template that knows
 * delimiters, standalone lines and indentation. Nodes live in the arena; their texts
 * are pieces of the template, which must outlive them.
 */
#pragma once

#include <stdbool.h>

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
	bool dynamic;     /* {{>*name}}: the name of the partial is the value of `name` */
	bool line_start;  /* the first thing on its line: indentation goes in front */
	bool standalone;  /* PARTIAL, PARENT, BLOCK: the tag had a line for itself */
	/* PARTIAL and PARENT: the blanks before a standalone tag, for every line of the partial.
	 * BLOCK: what was cut off its content's lines (standalone), or the blanks before it. */
	struct span indent;
	unsigned line;
	struct template_node *first, *last, *next; /* children, siblings */
};

/* The root is a SECTION node without a name; NULL and *err on a broken template. */
struct template_node *template_parse(struct arena *arena, const char *name, struct span text,
				     struct error *err);
