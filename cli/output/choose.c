/* From the words of -o and --as to outputs. */
#include "cli/output/choose.h"

#include "cli/output/render.h"
#include "render/markup/markup.h"

#define FIELD(member) OPTION_FIELD(struct output_wish, member)
const struct option output_option_rows[] = {
	{FIELD(files), "output", "[KIND=]FILE", "write to FILE; its ending or KIND says what",
	 .letter = 'o'},
	{FIELD(as), "as", "KIND", "the kind for standard output, or for -o FILE"},
	{.kind = OPTION_END},
};

/* One output before its kind is known. */
struct word {
	const char *typed; /* of -o; NULL: standard output, without a word */
	struct span kind;  /* empty: not given */
	const char *path;
	bool as; /* --as is about it */
};

/* `typed` is the word of -o; NULL: the kind stands alone. */
static int no_such_kind(struct cli *cli, const struct output_rules *rules, struct span name,
			const char *typed, struct error *err)
{
	struct similar similar = similar_to(name);
	struct strbuf hint = {0};
	for (const struct output_kind *kind = output_kinds; kind->name; kind++)
		if (kind->commands & rules->command)
			similar_offer(&similar, kind->name);
	if (similar.word)
		strbuf_addf(&hint, "did you mean '%s'?", similar.word);
	else
		strbuf_addf(&hint, "it writes %s", output_kinds_of(&cli->arena, rules->command));
	if (typed)
		strbuf_addf(&hint, "%s the file is ./%.80s", similar.word ? "" : ";", typed);
	error_set(err, ERR_USAGE, "%s writes no kind '%.*s'\nhint: %s", rules->name,
		  (int)(name.len < 80 ? name.len : 80), name.ptr, strbuf_text(&hint));
	strbuf_free(&hint);
	return -1;
}

/* Whether a text can only be meant as a kind: letters and dashes. */
static bool looks_like_kind(struct span text)
{
	size_t i = 0;
	while (i < text.len &&
	       (((text.ptr[i] | 32) >= 'a' && (text.ptr[i] | 32) <= 'z') || text.ptr[i] == '-'))
		i++;
	return text.len && i == text.len;
}

/* "KIND=FILE" or "FILE". */
static int split(struct cli *cli, const struct output_rules *rules, const char *typed,
		 struct word *word, struct error *err)
{
	struct span rest = span_of(typed), before = span_cut(&rest, '=');
	const struct output_kind *kind = output_kind_find(before);
	assert(typed);
	*word = (struct word){.typed = typed, .path = typed};
	if (rest.ptr && kind && (kind->commands & rules->command)) {
		word->kind = before;
		word->path = rest.ptr;
	} else if (rest.ptr && looks_like_kind(before)) {
		return no_such_kind(cli, rules, before, typed, err);
	}
	return word->path[0] ? 0 : error_set(err, ERR_USAGE, "-o %s: a file is missing", typed);
}

static bool ends_in(const char *path, const char *kind)
{
	const char *ending = output_kind_of_path(path);
	return ending && strcmp(ending, kind) == 0;
}

/* The name of the kind that a word without one stands for. */
static int kind_by_path(struct cli *cli, const struct output_rules *rules, struct word *word,
			struct error *err)
{
	const char *name = cli_is_standard_output(word->path) ? rules->fallback
							      : output_kind_of_path(word->path);
	if (name && strcmp(name, "picture") == 0)
		name = rules->picture;
	if (name) {
		word->kind = span_of(name);
		return 0;
	}
	const char *kinds = output_kinds_of(&cli->arena, rules->command);
	const char *second = strchr(kinds, ',');
	if (!second || !strchr(second + 1, ','))
		return error_set(err, ERR_USAGE, "%s writes only %s, not '%s'\nhint: -o FILE.%s",
				 rules->name, kinds, word->path, second ? rules->fallback : kinds);
	return error_set(err, ERR_USAGE,
			 "unknown kind of output for '%s'\nhint: -o KIND=%s; rooflog list kinds",
			 word->path, word->path);
}

static int to_output(struct cli *cli, const struct output_rules *rules, struct word *word,
		     bool asks_json, struct output *output, struct error *err)
{
	bool json = asks_json && word->as;
	if (!word->kind.len && kind_by_path(cli, rules, word, err) < 0)
		return -1;
	const struct output_kind *kind = output_kind_find(word->kind);
	if (!kind || !(kind->commands & rules->command))
		return no_such_kind(cli, rules, word->kind, NULL, err);
	bool people = kind->maker == OUTPUT_PEOPLE;
	*output = (struct output){.name = kind->name,
				  .kind = people ? output_report_kind_find(kind->name)
						 : &report_kinds[0],
				  .path = word->path};
	if (kind->maker == OUTPUT_EXPORT)
		output->exporter = export_find(kind->name);
	else if (kind->maker == OUTPUT_FORM)
		output->format = kind->name;
	else if (people)
		output->format = json || ends_in(word->path, "json") ? "json"
				 : ends_in(word->path, "html")       ? "html"
								     : "md";
	if (json && !people && strcmp(kind->name, "json") != 0)
		return error_set(err, ERR_USAGE, "--json and --as %s cannot be combined",
				 kind->name);
	if (kind->maker == OUTPUT_CHARTED)
		return output_check_picture(word->path, err);
	bool page = output->format && strcmp(output->format, "html") == 0;
	if (page ? !output->kind->html : ends_in(word->path, "html"))
		return error_set(err, ERR_USAGE, "%s is not written as HTML: %s", kind->name,
				 word->path);
	return 0;
}

/* Whether --json chooses a kind. chart and show then say which files they wrote. */
static bool asks_document(const struct cli *cli, const struct output_rules *rules)
{
	return cli->common.json && rules->command != OUTPUT_CHART && rules->command != OUTPUT_SHOW;
}

/* The words of -o, and that of standard output if it is written too. Which of them --as is about
 * has its kind then. */
static int collect(struct cli *cli, const struct output_rules *rules,
		   const struct output_wish *wish, struct word words[text_list_limit + 1],
		   struct error *err)
{
	const struct text_list *files = &wish->files;
	const char *as = wish->as ? wish->as : asks_document(cli, rules) ? "json" : NULL;
	size_t count = files->count, without = 0, printed = 0;
	struct word *unnamed = NULL;
	for (size_t i = 0; i < count; i++) {
		if (split(cli, rules, files->items[i], &words[i], err) < 0)
			return -1;
		if (!words[i].kind.len) {
			unnamed = &words[i];
			without++;
		}
		printed += cli_is_standard_output(words[i].path);
	}
	if (as && without > 1)
		return error_set(err, ERR_USAGE,
				 "--as %s applies to one file without KIND=, but %zu were "
				 "given\nhint: -o %s=%s",
				 as, without, as, unnamed->path);
	bool more = !count || (as && !unnamed) || (rules->prints && !printed);
	if (more) {
		words[count] = (struct word){.path = "-"};
		printed++;
		unnamed = unnamed ? unnamed : &words[count];
		count++;
	}
	if (printed > 1)
		return error_set(
			err, ERR_USAGE,
			"only one document can go to standard output: write the others to files");
	if (as) {
		unnamed->kind = span_of(as);
		unnamed->as = true;
	}
	return (int)count;
}

/* Standard output is written last: a reader that goes away keeps no file from being written. */
static void print_last(struct output_list *outputs)
{
	for (size_t i = 0; i + 1 < outputs->count; i++)
		if (cli_is_standard_output(outputs->items[i].path)) {
			struct output printed = outputs->items[i];
			outputs->items[i] = outputs->items[i + 1];
			outputs->items[i + 1] = printed;
		}
}

int output_choose(struct cli *cli, const struct output_rules *rules, const struct output_wish *wish,
		  struct output_list *outputs, struct error *err)
{
	struct word words[text_list_limit + 1];
	int count = collect(cli, rules, wish, words, err);
	if (count < 0)
		return -1;
	outputs->count = (size_t)count;
	for (size_t i = 0; i < outputs->count; i++)
		if (to_output(cli, rules, &words[i], cli->common.json, &outputs->items[i], err) < 0)
			return -1;
	print_last(outputs);
	return 0;
}

int output_claim(struct cli *cli, const struct output_list *outputs, struct error *err)
{
	struct targets targets = {.count = 0};
	struct error later;
	int rc = 0;
	for (size_t i = 0; i < outputs->count; i++)
		if (output_remove_brought(cli, outputs->items[i].path, rc < 0 ? &later : err) < 0)
			rc = -1;
	for (size_t i = 0; rc == 0 && i < outputs->count; i++) {
		const struct output *output = &outputs->items[i];
		const char *what =
			arena_printf(&cli->arena, "-o %s=%s", output->name, output->path);
		rc = output_files_add(cli, &targets, what, output->path, err);
	}
	return rc;
}

int output_painted(const struct cli *cli, struct strbuf *text, struct error *err)
{
	struct strbuf painted = {0};
	if (!cli_color(cli))
		return cli_output(cli, NULL, text, err);
	terminal_paint(&painted, strbuf_span(text));
	strbuf_free(text);
	return cli_output(cli, NULL, &painted, err);
}

int output_text(struct cli *cli, const struct output *output, const char *text, struct error *err)
{
	struct strbuf sb = {0};
	bool prints = cli_is_standard_output(output->path);
	if (prints && !cli_color(cli))
		return cli_print_clean(text, err);
	(!prints || cli_utf8() ? terminal_text_lines : terminal_ascii_lines)(&sb, span_of(text));
	return prints ? output_painted(cli, &sb, err) : cli_output(cli, output->path, &sb, err);
}

size_t output_width(const struct output *output)
{
	return cli_is_standard_output(output->path) ? cli_table_width() : 0;
}

int output_write_each(struct cli *cli, const struct output_list *outputs, output_writer *write,
		      void *context, struct error *err)
{
	cli_hold_files(cli);
	for (size_t i = 0; i < outputs->count; i++) {
		const struct output *output = &outputs->items[i];
		if (cli_is_standard_output(output->path) && cli_place_files(cli, err) < 0)
			return -1;
		if (write(cli, context, output, err) < 0)
			return -1;
	}
	if (cli_place_files(cli, err) < 0)
		return -1;
	for (size_t i = 0; i < outputs->count; i++)
		if (!cli_is_standard_output(outputs->items[i].path))
			cli_note(cli, "wrote %s", outputs->items[i].path);
	return 0;
}

static int write_report(struct cli *cli, void *context, const struct output *output,
			struct error *err)
{
	struct output_subject subject = *(const struct output_subject *)context;
	if (!subject.gate && (output->kind->limit || output->kind->needs_gate))
		subject.gate = subject.uncompared;
	return output_write(cli, &subject, output, err);
}

int output_write_all(struct cli *cli, const struct output_subject *subject,
		     const struct output_list *outputs, struct error *err)
{
	struct output_subject copy = *subject;
	return output_write_each(cli, outputs, write_report, &copy, err);
}
