/*
 * Reader of the source page of Nsight Compute: what was sampled and executed, by source line and by
 * opcode. Kernels of one name are added up. The sums join the run of the kernel that another page
 * in the directory gives; alone they are a run without a time.
 */
#include "ingest/ncu/source_rows.h"

#include "base/hash/hash.h"
#include "base/text/text.h"
#include "ingest/collect/collect.h"
#include "ingest/reader.h"
#include "ingest/table/tables.h"

static const size_t size_limit = (size_t)256 << 20;
enum { kernel_limit = 4096, place_limit = 200000, text_size = 400, listed = 50 };

/* --- sums --- */

/* A source line or an opcode. */
struct place {
	const char *name, *text;
	double executed;
	double figures[source_figure_limit];
};

struct places {
	struct tally index; /* names in the order of the items */
	struct place *items;
	size_t count, capacity;
};

struct launch_sums {
	double executed, samples;
};

struct kernel {
	struct span symbol; /* empty: the page does not name it */
	struct places opcodes, lines;
	struct tally files;     /* of the lines; `count` is the last launch that printed it */
	struct tally addresses; /* the same */
	struct launch_sums *launches;
	size_t launch_count, launch_capacity;
};

struct source_reader {
	struct arena *arena;
	struct source_page page;
	struct tally index;
	struct kernel *kernels;
	size_t count, capacity;
	size_t places;
};

static void add_to(double *sum, double number)
{
	if (!isnan(number))
		*sum = (isnan(*sum) ? 0 : *sum) + number;
}

static int place_of(struct source_reader *s, struct places *places, struct span name,
		    struct place **place, struct error *err)
{
	const struct tally_entry *entry = tally_find(&places->index, name);
	size_t at = (size_t)(entry - places->index.entries);
	if (at == places->count) {
		if (s->places++ == place_limit)
			return error_set(err, ERR_FORMAT,
					 "line %zu: more than %d source lines and opcodes",
					 s->page.number, (int)place_limit);
		struct place *added =
			arena_next(s->arena, places->items, places->count, places->capacity);
		*added = (struct place){.name = entry->name.ptr, .text = "", .executed = NAN};
		for (size_t i = 0; i < source_figure_limit; i++)
			added->figures[i] = NAN;
	}
	*place = &places->items[at];
	return 0;
}

static void add_row(struct place *place, const struct source_row *row)
{
	add_to(&place->executed, row->executed);
	for (size_t i = 0; i < source_figure_limit; i++)
		add_to(&place->figures[i], row->figures[i]);
}

/* --- names --- */

/* "LDG.E" of "@!P0 LDG.E R2, [R4]" */
static struct span opcode_of(struct span text)
{
	struct span word = {"", 0};
	for (int i = 0; i < 2 && text.len; i++) {
		text = span_trim(text);
		word = span_cut(&text, ' ');
		if (!span_starts(word, "@"))
			break;
	}
	while (word.len && strchr(",;", word.ptr[word.len - 1]))
		word.len--;
	return word;
}

/* The text of a line on one line, as far as it is valid: tabs are blanks. */
static const char *clean_text(struct arena *arena, struct span text)
{
	struct strbuf sb = {0};
	size_t quotes = 0, doubled = 0;
	for (size_t i = 0; i < text.len; i++)
		quotes += text.ptr[i] == '"';
	for (size_t i = 0; i + 1 < text.len; i++)
		if (text.ptr[i] == '"' && text.ptr[i + 1] == '"') {
			doubled++;
			i++;
		}
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.ptr[i];
		strbuf_addch(&sb, c < ' ' || c == 0x7f ? ' ' : (char)c);
		i += c == '"' && doubled && quotes == 2 * doubled;
	}
	struct span clean = span_trim((struct span){strbuf_text(&sb), sb.len});
	if (!utf8_is_line(clean))
		clean.len = 0;
	if (clean.len > text_size)
		clean.len = utf8_valid_prefix((struct span){clean.ptr, text_size});
	const char *result = arena_strndup(arena, clean.ptr, clean.len);
	strbuf_free(&sb);
	return result;
}

/* "/home/me/copy.cu:12", or "line 12" where the page names no file. */
static struct span line_name(struct source_reader *s, const struct source_row *row)
{
	struct strbuf sb = {0};
	struct span file = s->page.file;
	if (file.len && utf8_is_line(file))
		strbuf_addf(&sb, "%.*s:", (int)file.len, file.ptr);
	else
		strbuf_addstr(&sb, "line ");
	strbuf_add(&sb, row->line.ptr, row->line.len);
	return span_of(strbuf_into(&sb, s->arena));
}

/* --- rows --- */

static int kernel_of(struct source_reader *s, struct kernel **kernel, struct error *err)
{
	struct span name = s->page.kernel;
	if (name.len && !utf8_is_line(name))
		return error_set(err, ERR_FORMAT, "line %zu: the kernel name is not valid UTF-8",
				 s->page.number);
	const struct tally_entry *entry = tally_find(&s->index, name);
	size_t at = (size_t)(entry - s->index.entries);
	if (at == s->count) {
		if (s->count == kernel_limit)
			return error_set(err, ERR_FORMAT, "line %zu: more than %d kernels",
					 s->page.number, (int)kernel_limit);
		struct kernel *added = arena_next(s->arena, s->kernels, s->count, s->capacity);
		*added = (struct kernel){.symbol = entry->name};
		added->opcodes.index.arena = added->lines.index.arena = s->arena;
		added->files.arena = added->addresses.arena = s->arena;
	}
	*kernel = &s->kernels[at];
	return 0;
}

/* A launch prints each file once, so a file that is printed again is that of the next launch. */
static void begin_table(struct source_reader *s, struct kernel *kernel)
{
	struct tally_entry *file = tally_find(&kernel->files, s->page.file);
	if (file->count == (double)kernel->launch_count)
		*arena_next(s->arena, kernel->launches, kernel->launch_count,
			    kernel->launch_capacity) = (struct launch_sums){NAN, NAN};
	file->count = (double)kernel->launch_count;
}

static int add_instruction(struct source_reader *s, struct kernel *kernel,
			   const struct source_row *row, struct error *err)
{
	struct tally_entry *address = tally_find(&kernel->addresses, row->address);
	struct launch_sums *launch = &kernel->launches[kernel->launch_count - 1];
	struct span opcode = opcode_of(row->text);
	struct place *place;
	if (address->count == (double)kernel->launch_count && !span_is(address->name, "(other)"))
		return 0;
	address->count = (double)kernel->launch_count;
	add_to(&launch->executed, row->executed);
	add_to(&launch->samples, row->figures[0]);
	if (opcode.len == 0 || !utf8_is_line(opcode))
		opcode = span_of("(unknown)");
	if (place_of(s, &kernel->opcodes, opcode, &place, err) < 0)
		return -1;
	add_row(place, row);
	return 0;
}

static bool is_line_number(struct span text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!ascii_is_digit(text.ptr[i]))
			return false;
	return text.len > 0 && text.len <= 9;
}

static int add_line(struct source_reader *s, struct kernel *kernel, const struct source_row *row,
		    struct error *err)
{
	struct place *place;
	char excerpt[lines_excerpt_size];
	if (!is_line_number(row->line))
		return error_set(err, ERR_FORMAT, "line %zu: the line number is \"%s\"",
				 s->page.number, lines_excerpt(excerpt, row->line));
	if (place_of(s, &kernel->lines, line_name(s, row), &place, err) < 0)
		return -1;
	if (!place->text[0])
		place->text = clean_text(s->arena, row->text);
	add_row(place, row);
	return 0;
}

static int read_rows(struct source_reader *s, struct error *err)
{
	struct source_row row;
	struct kernel *kernel = NULL;
	int rc;
	while ((rc = ncu_source_next(&s->page, &row, err)) > 0) {
		if (s->page.new_table || !kernel) {
			if (kernel_of(s, &kernel, err) < 0)
				return -1;
			begin_table(s, kernel);
			s->page.new_table = false;
		}
		if ((row.address.len ? add_instruction : add_line)(s, kernel, &row, err) < 0)
			return -1;
	}
	return rc;
}

/* --- runs --- */

static double zero_of(double number)
{
	return isnan(number) ? 0 : number;
}

static int hottest_first(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	double p = zero_of(x->figures[0]), q = zero_of(y->figures[0]);
	if (p == q) {
		p = zero_of(x->executed);
		q = zero_of(y->executed);
	}
	if (p != q)
		return p > q ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* All places after the listed ones as one. */
static void sum_rest(struct places *places)
{
	if (places->count <= listed + 1)
		return;
	struct place *rest = &places->items[listed];
	for (size_t i = listed + 1; i < places->count; i++) {
		add_to(&rest->executed, places->items[i].executed);
		for (size_t k = 0; k < source_figure_limit; k++)
			add_to(&rest->figures[k], places->items[i].figures[k]);
	}
	rest->name = "(rest)";
	rest->text = "";
	places->count = listed + 1;
}

/* Figures that tables print: 0 is not the same as unknown. */
static bool is_always_given(const struct source_reader *s, size_t figure)
{
	static const char *const names[] = {"samples", "global_sectors_excess"};
	return span_among(span_of(s->page.figures.names[figure]), names,
			  sizeof names / sizeof *names);
}

static void add_places(struct source_reader *s, struct run *run, struct places *places,
		       enum tally_kind kind)
{
	array_sort(places->items, places->count, sizeof *places->items, hottest_first);
	sum_rest(places);
	for (size_t i = 0; i < places->count; i++) {
		const struct place *place = &places->items[i];
		run_add_tally(
			s->arena, run,
			(struct run_tally){kind, place->name, place->executed, NAN, NAN, NAN});
		for (size_t k = 0; k < s->page.figures.count; k++)
			if (place->figures[k] > 0 ||
			    (place->figures[k] == 0 && is_always_given(s, k)))
				run_add_tally(s->arena, run,
					      (struct run_tally){TALLY_FIGURE,
								 s->page.figures.names[k],
								 place->figures[k], NAN, NAN, NAN});
		if (place->text[0])
			run_add_tally(
				s->arena, run,
				(struct run_tally){TALLY_TEXT, place->text, NAN, NAN, NAN, NAN});
	}
}

/* Values of one launch: the median over all. Sums of lines overlap, so a page without instructions
 * has none. */
static void add_launches(struct source_reader *s, struct run *run, const struct kernel *kernel)
{
	double *numbers = arena_array(s->arena, kernel->launch_count + 1, sizeof *numbers);
	for (size_t i = 0; i < kernel->launch_count; i++)
		numbers[i] = kernel->launches[i].executed;
	run_set_samples(s->arena, run, METRIC_WARP_INSTRUCTIONS, numbers, kernel->launch_count,
			PROVENANCE_MEASURED);
	for (size_t i = 0; i < kernel->launch_count; i++)
		numbers[i] = kernel->launches[i].samples;
	run_set_samples(s->arena, run, METRIC_WARP_SAMPLES, numbers, kernel->launch_count,
			PROVENANCE_MEASURED);
	run_set(run, METRIC_LAUNCH_COUNT, (double)kernel->launch_count, PROVENANCE_MEASURED);
}

static void add_warnings(struct source_reader *s, struct run *run, const struct kernel *kernel)
{
	double samples = NAN;
	for (size_t i = 0; i < kernel->opcodes.count; i++)
		add_to(&samples, kernel->opcodes.items[i].figures[0]);
	for (size_t i = 0; i < kernel->lines.count; i++)
		add_to(&samples, kernel->lines.items[i].figures[0]);
	if (isnan(samples))
		run_warn(s->arena, run,
			 "the source page has no warp samples; collect them with --section "
			 "SourceCounters or --set full");
	else if (samples == 0)
		run_warn(s->arena, run,
			 "no warp was sampled: the kernel is shorter than the sampling interval "
			 "(ncu --sampling-interval)");
}

static void add_kernel(struct source_reader *s, struct kernel *kernel, bool one_of_several,
		       struct ingest_result *result)
{
	struct run *run = run_new(s->arena);
	char hex[17];
	snprintf(hex, sizeof hex, "%016llx", (unsigned long long)table_hash_of(kernel->symbol));
	const char *symbol = arena_strndup(s->arena, hex, 8);
	run->kernel = kernel->symbol.len ? kernel_name_short(s->arena, kernel->symbol) : NULL;
	run->variant = "";
	run->node = "";
	run->tool = "ncu-source";
	if (run->kernel && !span_is(kernel->symbol, run->kernel))
		run_add_attribute(s->arena, run, "kernel_symbol", kernel->symbol.ptr);
	if (one_of_several)
		run_set_param(s->arena, run, "symbol", symbol);
	add_launches(s, run, kernel);
	add_warnings(s, run, kernel);
	add_places(s, run, &kernel->opcodes, TALLY_OPCODE);
	add_places(s, run, &kernel->lines, TALLY_SOURCE);
	*arena_add(s->arena, &result->companions) =
		(struct companion){.kernel = run->kernel,
				   .tool = "ncu",
				   .symbol = symbol,
				   .figures = run,
				   .tallies = run->tallies,
				   .tally_count = run->tally_count};
}

/* Whether another kernel of the page has the same short name. */
static bool is_one_of_several(struct source_reader *s, const struct kernel *kernel,
			      const struct tally *shorts)
{
	struct span name = span_of(kernel_name_short(s->arena, kernel->symbol));
	const struct tally_entry *entry = tally_known(shorts, name);
	return entry && entry->count > 1;
}

static void add_kernels(struct source_reader *s, struct ingest_result *result)
{
	struct tally shorts = {.arena = s->arena};
	for (size_t i = 0; i < s->count; i++)
		tally_find(&shorts, span_of(kernel_name_short(s->arena, s->kernels[i].symbol)))
			->count++;
	for (size_t i = 0; i < s->count; i++)
		add_kernel(s, &s->kernels[i], is_one_of_several(s, &s->kernels[i], &shorts),
			   result);
	tally_free(&shorts);
}

static void free_tables(struct source_reader *s)
{
	for (size_t i = 0; i < s->count; i++) {
		tally_free(&s->kernels[i].opcodes.index);
		tally_free(&s->kernels[i].lines.index);
		tally_free(&s->kernels[i].files);
		tally_free(&s->kernels[i].addresses);
	}
	tally_free(&s->index);
}

static int read_source(struct arena *arena, struct input *input, struct ingest_result *result,
		       struct error *err)
{
	struct span bytes;
	struct source_reader *s = arena_new(arena, struct source_reader);
	*s = (struct source_reader){.arena = arena, .index.arena = arena};
	if (input_read_all(arena, input, size_limit, &bytes, err) < 0 ||
	    ncu_source_open(&s->page, arena, bytes, input_hints(input)->locale, err) < 0)
		return -1;
	int rc = read_rows(s, err);
	if (rc == 0 && s->count == 0)
		rc = error_set(err, ERR_FORMAT,
			       "no rows: the source page ends after its header; the report has no "
			       "source information (ncu --section SourceCounters)");
	if (rc == 0)
		add_kernels(s, result);
	free_tables(s);
	return rc;
}

/* --- detection --- */

static bool detect_source(struct span head)
{
	while (head.len)
		if (ncu_source_is_header(span_trim(span_cut(&head, '\n'))))
			return true;
	return false;
}

const struct reader ncu_source_reader = {"ncu-source", "Nsight Compute: ncu --csv --page source",
					 NEEDS_DEVICE, detect_source, read_source};
