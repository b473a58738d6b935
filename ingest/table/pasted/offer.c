/* Lists the tables of a text for messages, with the options that would read them. */
#include "base/text/text.h"
#include "ingest/table/pasted/cells.h"
#include "ingest/table/pasted/pasted.h"

enum { offered = 4, name_limit = 60 };

/* --- columns --- */

static bool contains(struct span text, const char *part)
{
	char lower[name_limit + 1];
	size_t len = text.len < name_limit ? text.len : name_limit;
	for (size_t i = 0; i < len; i++)
		lower[i] = (char)(text.ptr[i] >= 'A' && text.ptr[i] <= 'Z' ? text.ptr[i] + 32
									   : text.ptr[i]);
	return span_find((struct span){lower, len}, part) < len;
}

/* The unit of "Total (us)", NULL: it is not one of time. */
static const char *unit_of(struct span name)
{
	static const char *const units[][2] = {{"(s)", "s"},   {"(ms)", "ms"}, {"(us)", "us"},
					       {"(μs)", "us"}, {"(µs)", "us"}, {"(ns)", "ns"}};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (span_ends(name, units[i][0]))
			return units[i][1];
	return NULL;
}

/* The metric that a column of times probably is. */
static const char *metric_of(struct span name)
{
	static const char *const words[][2] = {
		{"compil", "compile_time"}, {"编译", "compile_time"},
		{"torch", "host_time"},     {"host", "host_time"},
		{"wall", "host_time"},      {"tensor", "tensor_engine_active_time"},
		{"dma", "dma_active_time"},
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (contains(name, words[i][0]))
			return words[i][1];
	return "time";
}

/* --- a table --- */

static bool can_be_shown(const struct pasted_cells *header)
{
	bool time = false;
	for (size_t i = 0; i < header->count; i++) {
		struct span name = header->items[i];
		if (!name.len || name.len > name_limit || !utf8_is_line(name) ||
		    memchr(name.ptr, '"', name.len) || memchr(name.ptr, '\'', name.len))
			return false;
		time |= unit_of(name) != NULL;
	}
	return time;
}

static void add_item(struct strbuf *out, const char *target, struct span name, const char *unit)
{
	bool plain = true;
	for (size_t i = 0; i < name.len; i++)
		plain &= !strchr(" ,:=", name.ptr[i]);
	if (out->buf[out->len - 1] != '\'')
		strbuf_addch(out, ',');
	strbuf_addf(out, plain ? "%s=%.*s" : "%s=\"%.*s\"", target, (int)name.len, name.ptr);
	if (unit)
		strbuf_addf(out, ":%s", unit);
}

static void describe(struct strbuf *out, size_t line, const struct pasted_cells *header,
		     const struct pasted_cells *row)
{
	bool used[3] = {false}; /* kernel, params, time */
	strbuf_addf(out, "line %zu (", line);
	for (size_t i = 0; i < header->count; i++)
		strbuf_addf(out, "%s%.*s", i ? ", " : "", (int)header->items[i].len,
			    header->items[i].ptr);
	strbuf_addstr(out, "): --columns '");
	for (size_t i = 0; i < header->count; i++) {
		struct span name = header->items[i], cell = {"", 0};
		const char *unit = unit_of(name), *metric = metric_of(name);
		bool time = strcmp(metric, "time") == 0;
		if (i < row->count)
			cell = row->items[i];
		if (unit && !(time && used[2])) {
			add_item(out, metric, name, unit);
			used[2] |= time;
		} else if (!unit && contains(name, "kernel") && !used[0]) {
			add_item(out, "kernel", name, NULL);
			used[0] = true;
		} else if (!unit && span_find(cell, "=") < cell.len && !used[1]) {
			add_item(out, "params", name, NULL);
			used[1] = true;
		}
	}
	strbuf_addch(out, '\'');
}

static bool is_found(const struct pasted *found, size_t line)
{
	for (size_t i = 0; found && i < found->count; i++)
		if (found->headers[i] == line)
			return true;
	return false;
}

/* A table is a header, a rule and a row. */
size_t pasted_offer(struct strbuf *out, struct span text, const struct pasted *found)
{
	struct pasted_cells header = {.count = 0}, row;
	size_t count = 0, line_of_header = 0;
	struct span rest = text;
	bool ruled = false;
	for (size_t number = 1; rest.len; number++) {
		struct span line = span_cut(&rest, '\n');
		if (pasted_is_rule(line)) {
			ruled = line_of_header == number - 1 && line_of_header > 0;
			continue;
		}
		if (!pasted_split(line, &row)) {
			line_of_header = 0;
			ruled = false;
			continue;
		}
		if (ruled && !is_found(found, line_of_header) && can_be_shown(&header)) {
			if (count++ < offered) {
				strbuf_addstr(out, count > 1 ? "; " : "");
				describe(out, line_of_header, &header, &row);
			}
		}
		ruled = false;
		header = row;
		line_of_header = number;
	}
	return count;
}
