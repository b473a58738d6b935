/*
 * Readers of CSV tables in which each row is a measurement. A reader is a table of columns; rows of
 * the same work become one run, whose samples are the rows' values.
 *
 *   static const struct row_column columns[] = {
 *           {"kernel", .role = ROW_KERNEL, .required = true},
 *           {"ms", .role = ROW_VALUE, .metric = METRIC_TOTAL_TIME, .scale = 1e-3, .required =
 * true},
 *           {.role = ROW_END},
 *   };
 *   static const struct row_reader rows = {.columns = columns, .rest_are_params = true, ...};
 *   ROW_READER(x, "x", "x --csv", NEEDS_COMMIT);
 *
 * A table has one of three forms:
 *
 *   plain     a column of values per metric
 *   long      one column of values; `names` and `units` name the columns that say of which metric
 *   headings  a column of values per variant, with the unit: "Triton (GB/s)". All columns before
 *             the first of them are parameters; one listed column may follow
 *
 * What concerns a single column belongs in its row; conclusions from several columns belong in
 * describe(). This module contains nothing about a particular format. CONTRIBUTING.md walks through
 * a reader.
 */
#pragma once

#include "base/base.h"
#include "ingest/collect/collect.h"
#include "ingest/reader.h"
#include "ingest/table/csv.h"

enum row_role {
	ROW_END,
	ROW_RESULT, /* neither a parameter nor part of the work's identity */
	/* These are parts of the work's identity. */
	ROW_WORK,   /* describe() interprets it */
	ROW_KERNEL, /* required in each row */
	ROW_VARIANT,
	ROW_DTYPE,
	ROW_DEVICE,
	ROW_PARAM,
	ROW_PARAMS, /* a JSON object of parameters; its member "dtype" is the dtype */
	/* The dtype of an operand: the first one that is given is the dtype of the work if it is a
	 * known dtype. All others are parameters (rest_are_params). With `as`, any value means this
	 * dtype, and the column is a parameter in any case. */
	ROW_OPERAND_DTYPE,
	/* An attribute of the run. With a text in `wrong`, the run's result is not correct. */
	ROW_ATTRIBUTE,
	/* Numbers that are not negative. */
	ROW_VALUE,  /* measured; a row whose first value is missing or 0 is left out */
	ROW_STATED, /* as reported in the first row of the work, if above 0 */
	/* A rate that the tool computed from a count and the row's first value, a time. With `of`,
	 * the column of the count, the rate is only checked; a row where it does not fit counts as
	 * strange. Else the count is recovered if it is a whole number, and the rate is reported if
	 * it is not. */
	ROW_RATE,
	ROW_QUANTILE /* a long table's value has it: an attribute "<name>_<as>" */
};

struct row_column {
	const char *name;
	enum row_role role;
	const char *as;    /* parameter, attribute: its name; NULL: the column's name */
	bool required;     /* without it the table is of another format */
	bool filled;       /* a row without it is an error */
	bool apart;        /* an attribute that is part of the work's identity */
	bool is_symbol;    /* a kernel's name to be shortened (ingest/collect/kernel_name.h) */
	const char *only;  /* rows with another text are left out */
	const char *title; /* a parameter whose name is the text of this column */
	const char *wrong[2];
	enum metric metric;
	double scale;          /* SI units per unit of the column; 0: 1 */
	const char *deviation; /* ROW_VALUE: column with its standard deviation, in its unit */
	const char *of;
	double other_scale; /* a rate may be in this unit instead */
	enum metric count;  /* ROW_RATE: the recovered count */
	/* ROW_VALUE of a long table: `as` and `unit` are what the file calls metric and unit;
	 * attributes call the unit `shown`. */
	const char *unit, *shown;
};

/* A unit in headings: "Triton (GB/s)". */
struct row_unit {
	const char *word; /* NULL ends a list */
	enum metric metric;
	double scale;
};

enum { row_column_limit = 64, row_width_limit = 4 };

/* What describe() knows about the current row. */
struct row_reading {
	const struct row_reader *reader;
	struct arena *arena;
	struct csv csv;
	double numbers[row_column_limit]; /* by column; NAN if the cell is empty */
	struct row_groups groups;
	struct row_count left_out, strange, others; /* rows for the warnings of these names */
	/* By column: whether it is a parameter. */
	struct row_param {
		const char *name; /* NULL: not a parameter */
		bool again;       /* an earlier column has the same name */
	} * params;
	struct strbuf key;
	const struct row_unit *unit; /* of all headings with a unit; NULL: no such table */
	size_t first, end;           /* these columns have headings with the unit */
	struct span *variants;       /* by column: the name before the unit */
};

struct row_reader {
	const char *tool;
	size_t size_limit;                /* bytes; a larger file is refused */
	char separator;                   /* of cells; 0: a comma */
	const struct row_column *columns; /* ROW_END at the end */
	const char *const *results;       /* more columns with the role ROW_RESULT; NULL ends */
	bool rest_are_params; /* unlisted columns are parameters; else they are ignored */
	const char *none;     /* a word that means an empty cell in parameters */
	/* The table may be in what the program prints: below each line `after`, up to the blank
	 * line below its rows. Results above it have a line that begins with `sign`. */
	const char *after, *sign;
	const char *names, *units; /* columns of a long table */
	const char *others; /* warning about rows of other metrics or units; NULL: an error */
	const struct row_unit *headings; /* units of a table with headings */

	const char *left_out; /* warning about rows without a value */
	const char *strange;  /* warning about rows with a rate that does not fit; or NULL */
	const char *nothing;  /* error if no row remains */
	/* Completes the run of new work after its columns did. May be NULL. */
	void (*describe)(const struct row_reading *row, struct run *run);
};

/* Whether a file, whose first bytes are `head`, has all required columns. */
bool row_reader_detect(const struct row_reader *reader, struct span head);
int row_reader_read(const struct row_reader *reader, struct arena *arena, struct input *input,
		    struct ingest_result *result, struct error *err);

/* Defines <id>_reader (ingest/readers.def) from `rows`, the struct row_reader of the file. */
#define ROW_READER(id, name, title, needs)                                                         \
	static bool detect(struct span head)                                                       \
	{                                                                                          \
		return row_reader_detect(&rows, head);                                             \
	}                                                                                          \
	static int read_rows(struct arena *arena, struct input *input,                             \
			     struct ingest_result *result, struct error *err)                      \
	{                                                                                          \
		return row_reader_read(&rows, arena, input, result, err);                          \
	}                                                                                          \
	const struct reader id##_reader = {name, title, needs, detect, read_rows}
