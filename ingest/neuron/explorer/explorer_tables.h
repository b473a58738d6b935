/*
 * The tables of a Neuron Explorer profile, and what their columns are in the sections of the full
 * profile as JSON. Names, types and units are those of the profile's schema 7.4.0
 * (awsdocs-neuron, tools/neuron-explorer/profile-schema-reference.rst).
 */
#pragma once

#include "base/base.h"
#include "ingest/neuron/neuron.h"
#include "ingest/container/parquet/parquet.h"

enum { explorer_column_limit = 16 };

struct explorer_table {
	const char *name;    /* "Instruction" */
	const char *section; /* "instruction" */
	const char *instead; /* read only if the profile has no table of this name; NULL: always */
	struct explorer_column {
		const char *name;  /* in the table; NULL ends */
		const char *field; /* in the section */
		const char *unit;  /* as SchemaFields says it; NULL: none */
	} columns[explorer_column_limit];
};

/* Ends with a table without a name. The first is the summary, whose columns are the members of the
 * section of that name. */
extern const struct explorer_table explorer_tables[];

/* Whether a file has the columns of the summary. */
bool explorer_is_summary(const struct parquet *file);
/* The unit in which a column is read; NULL: it has none, or the column is not read. */
const char *explorer_unit(struct span table, struct span column);
/* Adds the rows of a file of the table to the collector. */
int explorer_table_read(const struct explorer_table *table, const struct json_section *section,
			struct parquet *file, struct collector *c, struct error *err);
