/* Reads pages of a terminal line by line. */
#include "ingest/ncu/text.h"

#include "base/text/text.h"
#include "ingest/ncu/value.h"
#include "ingest/table/tables.h"

static struct span until(struct span text, size_t end)
{
	return (struct span){text.ptr, end};
}

/* --- the line of a kernel --- */

static size_t last_of(struct span text, const char *needle)
{
	const size_t len = strlen(needle);
	for (size_t i = text.len; i-- > 0;)
		if (text.len - i >= len && memcmp(text.ptr + i, needle, len) == 0)
			return i;
	return text.len;
}

static const char invocations[] = ", Invocations ";

/* Where the kernel's name and sizes end; line.len if it names no kernel. */
static size_t facts_of(struct span line)
{
	static const char *const facts[][2] = {{", Context ", ", Stream "},
					       {", Device ", invocations}};
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
		size_t at = last_of(line, facts[i][0]);
		if (at < line.len && span_find(span_from(line, at), facts[i][1]) < line.len - at)
			return at;
	}
	return line.len;
}

bool ncu_text_is_kernel(struct span line)
{
	size_t at = facts_of(line);
	return at < line.len && span_starts(line, "  ") && !span_starts(line, "   ") && at > 2;
}

/* The value of ", Device 0". */
static struct span value_of(struct span rest, const char *name)
{
	size_t at = span_find(rest, name);
	if (at == rest.len)
		return (struct span){"", 0};
	struct span value = span_from(rest, at + strlen(name));
	return span_trim(span_cut(&value, ','));
}

/* Cuts "(1024, 1, 1)x(256, 1, 1)" off the end, or the date that was there before version 2022. */
static void cut_sizes(struct span *head, struct ncu_identity *identity)
{
	size_t between = last_of(*head, ")x(");
	if (between < head->len && span_ends(*head, ")")) {
		size_t open = last_of(until(*head, between), "(");
		if (open < between) {
			identity->grid = (struct span){head->ptr + open, between + 1 - open};
			identity->block_size = span_from(*head, between + 2);
			*head = span_trim(until(*head, open));
		}
		return;
	}
	size_t comma = last_of(*head, ", ");
	if (comma + 6 < head->len && memcmp(head->ptr + comma + 2, "20", 2) == 0 &&
	    head->ptr[comma + 6] == '-')
		*head = span_trim(until(*head, comma));
}

/* The number of launches in a summary. */
static int read_invocations(struct ncu_launch *launch, struct span rest, size_t number,
			    struct error *err)
{
	char excerpt[lines_excerpt_size];
	size_t at = span_find(rest, invocations);
	if (at == rest.len)
		return 0;
	rest = span_trim(span_from(rest, at + strlen(invocations)));
	if (ncu_number(rest, '.', 0, &launch->invocations) && launch->invocations >= 1)
		return 0;
	return error_set(err, ERR_FORMAT, "line %zu: Invocations is \"%s\"", number,
			 lines_excerpt(excerpt, rest));
}

static int start_kernel(struct ncu_text *text, struct span line, size_t number, struct error *err)
{
	size_t at = facts_of(line);
	struct span head = span_trim(until(line, at)), rest = span_from(line, at);
	struct ncu_identity identity = {.block = ++text->profile->blocks,
					.device = value_of(rest, ", Device ")};
	if (!utf8_is_line(line))
		return error_set(err, ERR_FORMAT, "line %zu: the kernel name is not valid UTF-8",
				 number);
	cut_sizes(&head, &identity);
	identity.symbol = head;
	if (head.len == 0)
		return error_set(err, ERR_FORMAT, "line %zu: the kernel has no name", number);
	text->launch = ncu_profile_new(text->profile, &identity, err);
	if (!text->launch)
		return -1;
	text->launch->cc = value_of(rest, ", CC ");
	text->launch->process = text->process;
	text->section = (struct span){"", 0};
	return read_invocations(text->launch, rest, number, err);
}

/* --- tables --- */

/* Whether it is "----- ----- -----" with the columns name, unit and values; if so, their offsets.
 */
static bool read_rule(struct ncu_text *text, struct span line)
{
	size_t starts[5], count = 0;
	for (size_t i = 0; i < line.len; i++) {
		if (line.ptr[i] != '-' && line.ptr[i] != ' ')
			return false;
		if (line.ptr[i] == ' ' || (i && line.ptr[i - 1] == '-'))
			continue;
		if (count == 5)
			return false;
		starts[count++] = i;
	}
	if (count != 3 && count != 5)
		return false;
	text->unit_at = starts[1];
	text->value_count = count - 2;
	memcpy(text->value_at, &starts[2], text->value_count * sizeof *starts);
	return true;
}

/* Values are right-aligned and may be wider than their column. */
static int add_row(struct ncu_text *text, struct span line, size_t number, struct error *err)
{
	static const enum ncu_which summary[] = {NCU_MINIMUM, NCU_MAXIMUM, NCU_VALUE};
	for (size_t i = 0; i < text->value_count; i++) {
		size_t at = text->value_at[i];
		if (line.len <= at || line.ptr[at - 1] != ' ')
			return error_set(err, ERR_FORMAT,
					 "line %zu: the row does not match the columns of its "
					 "table; the file is truncated or damaged",
					 number);
		size_t end = i + 1 < text->value_count ? text->value_at[i + 1] : line.len;
		struct ncu_entry entry = {
			.section = text->section,
			.name = span_trim(until(line, text->unit_at)),
			.unit = span_trim((struct span){line.ptr + text->unit_at,
							text->value_at[0] - text->unit_at}),
			.text = span_trim((struct span){line.ptr + at, end - at}),
			.has_unit = true,
			.line = number,
			.which = text->value_count > 1 ? summary[i] : NCU_VALUE,
		};
		if (span_is(entry.name, "Metric Name"))
			return 0;
		if (ncu_profile_add(text->profile, text->launch, &entry, err) < 0)
			return -1;
	}
	return 0;
}

/* --- advice --- */

static void end_rule(struct ncu_text *text)
{
	struct span paragraph = strbuf_span(&text->paragraph);
	if (!text->in_rule || !text->launch)
		return;
	if (span_is(text->section, "GPU Speed Of Light Throughput") ||
	    span_is(text->section, "GPU Speed Of Light"))
		ncu_profile_bottleneck(text->launch, paragraph);
	else if (text->is_advice && paragraph.len)
		ncu_profile_rule(text->profile, text->launch,
				 &(struct ncu_rule_entry){text->section, paragraph, text->estimate,
							  text->scope});
	strbuf_reset(&text->paragraph);
	text->in_rule = false;
}

static void add_words(struct ncu_text *text, struct span words)
{
	static const struct {
		const char *words;
		enum advice_scope scope;
	} estimates[] = {{"Est. Speedup: ", ADVICE_GLOBAL}, {"Est. Local Speedup: ", ADVICE_LOCAL}};
	if (text->paragraph.len == 0)
		for (size_t i = 0; i < 2; i++)
			if (span_starts(words, estimates[i].words) && span_ends(words, "%")) {
				text->estimate = span_from(words, strlen(estimates[i].words));
				text->estimate.len--;
				text->scope = estimates[i].scope;
				return;
			}
	/* The texts that are stored are shorter. */
	if (text->paragraph.len > 4096)
		return;
	if (text->paragraph.len)
		strbuf_addch(&text->paragraph, ' ');
	strbuf_addspan(&text->paragraph, words);
}

static bool start_rule(struct ncu_text *text, struct span line)
{
	static const char *const kinds[] = {"OPT ", "INF ", "WRN "};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (span_starts(line, kinds[i])) {
			end_rule(text);
			text->in_rule = true;
			text->is_advice = i == 0;
			text->estimate = (struct span){"", 0};
			text->scope = ADVICE_SCOPE_UNKNOWN;
			add_words(text, span_trim(span_from(line, 4)));
			return true;
		}
	return false;
}

/* --- lines --- */

/* "[208229] app@127.0.0.1" */
static bool read_process(struct ncu_text *text, struct span line)
{
	size_t close = span_find(line, "] "), at = last_of(line, "@");
	if (!span_starts(line, "[") || close == line.len || at == line.len || at < close + 2)
		return false;
	text->process = (struct span){line.ptr + close + 2, at - close - 2};
	if (!utf8_is_line(text->process))
		text->process = (struct span){"", 0};
	return true;
}

int ncu_text_line(struct ncu_text *text, struct span line, size_t number, struct error *err)
{
	static const char section[] = "Section: ";
	struct span words = span_trim(line);
	bool indented = span_starts(line, "    ");
	if (ncu_text_is_kernel(line)) {
		end_rule(text);
		text->value_count = 0;
		return start_kernel(text, line, number, err);
	}
	if (!text->launch || !indented || words.len == 0) {
		end_rule(text);
		text->value_count = 0;
		read_process(text, line);
		return 0;
	}
	if (span_starts(words, section)) {
		end_rule(text);
		text->value_count = 0;
		text->section = span_from(words, strlen(section));
	} else if (read_rule(text, line)) {
		end_rule(text);
	} else if (span_starts(words, "-----")) {
		/* A blank line, between paragraphs and around tables of other kinds. */
		end_rule(text);
		text->value_count = 0;
	} else if (start_rule(text, words)) {
		text->value_count = 0;
	} else if (text->value_count) {
		return add_row(text, line, number, err);
	} else if (text->in_rule) {
		add_words(text, words);
	}
	return 0;
}

void ncu_text_end(struct ncu_text *text)
{
	end_rule(text);
	strbuf_free(&text->paragraph);
}
