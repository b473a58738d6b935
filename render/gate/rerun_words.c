/* Splits the command of [gate] rerun into words, and refuses what only a shell could do. */
#include "render/gate/rerun_words.h"

int render_gate_rerun_fault(const char *what, const char *at, struct error *err)
{
	return error_set(err, ERR_USAGE, "[gate] rerun: %s at \"%.40s\"", what, at);
}

bool render_gate_rerun_is_plain(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_.,:+-";
	return text[0] && !strchr("-.+", text[0]) && text[strspn(text, plain)] == 0 &&
	       !strstr(text, "..");
}

/* --- words --- */

struct splitting {
	struct arena *arena;
	const char *at;
	struct strbuf literal;
	struct {
		struct rerun_part *items;
		size_t count, capacity;
	} parts; /* of the present word */
	struct {
		struct rerun_word *items;
		size_t count, capacity;
	} words;
	bool in_word; /* '' is a word, too */
};

static void end_literal(struct splitting *s)
{
	if (s->literal.len)
		*arena_add(s->arena, &s->parts) = (struct rerun_part){
			arena_strndup(s->arena, s->literal.buf, s->literal.len), false};
	strbuf_reset(&s->literal);
}

static void end_word(struct splitting *s)
{
	end_literal(s);
	if (s->in_word)
		*arena_add(s->arena, &s->words) =
			(struct rerun_word){.parts = s->parts.items, .count = s->parts.count};
	s->parts.items = NULL;
	s->parts.count = s->parts.capacity = 0;
	s->in_word = false;
}

static bool is_place(const char *at)
{
	return at[0] == '{' && at[1] == '{';
}

static int read_place(struct splitting *s, struct error *err)
{
	const char *end = strstr(s->at, "}}");
	if (!end)
		return render_gate_rerun_fault("unclosed placeholder, e.g. {{kernel}} expected",
					       s->at, err);
	struct span name = span_trim((struct span){s->at + 2, (size_t)(end - s->at - 2)});
	end_literal(s);
	*arena_add(s->arena, &s->parts) =
		(struct rerun_part){arena_strndup(s->arena, name.ptr, name.len), true};
	s->at = end + 2;
	return 0;
}

static int read_quoted(struct splitting *s, struct error *err)
{
	const char *start = s->at;
	char quote = *s->at++;
	for (; *s->at && *s->at != quote; s->at++) {
		if (is_place(s->at))
			return render_gate_rerun_fault("placeholder inside quotes; remove the "
						       "quotes, values are quoted automatically",
						       s->at, err);
		if (quote == '"' && strchr("$`", *s->at))
			return render_gate_rerun_fault(
				"nothing is expanded: $ and backquotes stand in "
				"single quotes or in a script",
				s->at, err);
		if (quote == '"' && *s->at == '\\' && strchr("\"\\", s->at[1]) && s->at[1])
			s->at++;
		strbuf_addch(&s->literal, *s->at);
	}
	if (!*s->at)
		return render_gate_rerun_fault("unterminated quote", start, err);
	s->at++;
	return 0;
}

static int refuse_sign(const char *at, struct error *err)
{
	char what[128];
	snprintf(what, sizeof what,
		 "one command without shell syntax expected: quote %c, or call a script", *at);
	return render_gate_rerun_fault(what, at, err);
}

/* One character outside of quotes. Those that mean something to a shell are refused, so that no one
 * relies on what does not happen. */
static int read_bare(struct splitting *s, struct error *err)
{
	if (*s->at == '$' || (*s->at == '\\' && is_place(s->at + 1)))
		return render_gate_rerun_fault(
			"nothing is expanded after $ or \\; quote it, or put it "
			"into a script",
			s->at, err);
	if (strchr("`|&;<>()*?[]{}", *s->at) || (!s->in_word && strchr("#~!", *s->at)))
		return refuse_sign(s->at, err);
	if (*s->at == '\\' && s->at[1])
		s->at++;
	strbuf_addch(&s->literal, *s->at++);
	return 0;
}

static int read_one(struct splitting *s, struct error *err)
{
	if (*s->at == ' ' || *s->at == '\t') {
		end_word(s);
		s->at++;
		return 0;
	}
	int rc = is_place(s->at)                   ? read_place(s, err)
		 : *s->at == '\'' || *s->at == '"' ? read_quoted(s, err)
						   : read_bare(s, err);
	s->in_word = true;
	return rc;
}

/* --- programs that run their arguments as code --- */

enum {
	RUNS_TEXT,   /* an argument is code */
	RUNS_SCRIPT, /* the argument of some options is code; they end at the script */
	RUNS_OPTION, /* the argument of some options is code, wherever they stand */
	RUNS_LINE,   /* arguments become part of a line of a shell, or of a list */
};

static const struct runner {
	const char *name; /* a version may follow: python3.12 */
	int how;
	const char *letters; /* of the options whose argument is code */
} runners[] = {
	{"eval", RUNS_TEXT, ""},        {"source", RUNS_TEXT, ""},
	{"trap", RUNS_TEXT, ""},        {"awk", RUNS_TEXT, ""},
	{"gawk", RUNS_TEXT, ""},        {"mawk", RUNS_TEXT, ""},
	{"nawk", RUNS_TEXT, ""},        {"sed", RUNS_TEXT, ""},
	{"deno", RUNS_TEXT, ""},        {"sh", RUNS_SCRIPT, "c"},
	{"bash", RUNS_SCRIPT, "c"},     {"rbash", RUNS_SCRIPT, "c"},
	{"dash", RUNS_SCRIPT, "c"},     {"ash", RUNS_SCRIPT, "c"},
	{"ksh", RUNS_SCRIPT, "c"},      {"mksh", RUNS_SCRIPT, "c"},
	{"zsh", RUNS_SCRIPT, "c"},      {"fish", RUNS_SCRIPT, "cC"},
	{"csh", RUNS_SCRIPT, "c"},      {"tcsh", RUNS_SCRIPT, "c"},
	{"pwsh", RUNS_SCRIPT, "cCe"},   {"python", RUNS_SCRIPT, "c"},
	{"pypy", RUNS_SCRIPT, "c"},     {"ipython", RUNS_SCRIPT, "c"},
	{"perl", RUNS_SCRIPT, "eE"},    {"ruby", RUNS_SCRIPT, "e"},
	{"node", RUNS_SCRIPT, "ep"},    {"nodejs", RUNS_SCRIPT, "ep"},
	{"bun", RUNS_SCRIPT, "ep"},     {"php", RUNS_SCRIPT, "rBRE"},
	{"lua", RUNS_SCRIPT, "e"},      {"luajit", RUNS_SCRIPT, "e"},
	{"julia", RUNS_SCRIPT, "eE"},   {"Rscript", RUNS_SCRIPT, "e"},
	{"R", RUNS_SCRIPT, "e"},        {"octave", RUNS_SCRIPT, "e"},
	{"tclsh", RUNS_SCRIPT, "c"},    {"expect", RUNS_SCRIPT, "c"},
	{"env", RUNS_OPTION, "S"},      {"su", RUNS_OPTION, "c"},
	{"runuser", RUNS_OPTION, "c"},  {"script", RUNS_OPTION, "c"},
	{"flock", RUNS_OPTION, "c"},    {"gdb", RUNS_OPTION, "x"},
	{"cuda-gdb", RUNS_OPTION, "x"}, {"lldb", RUNS_OPTION, "oO"},
	{"npx", RUNS_OPTION, "c"},      {"git", RUNS_OPTION, "c"},
	{"nix", RUNS_OPTION, "c"},      {"nix-shell", RUNS_OPTION, ""},
	{"sbatch", RUNS_LINE, ""},      {"srun", RUNS_LINE, ""},
	{"salloc", RUNS_LINE, ""},      {"qsub", RUNS_LINE, ""},
	{"bsub", RUNS_LINE, ""},        {"ssh", RUNS_LINE, ""},
	{"watch", RUNS_LINE, ""},       {"parallel", RUNS_LINE, ""},
	{"tmux", RUNS_LINE, ""},        {"screen", RUNS_LINE, ""},
	{"make", RUNS_LINE, ""},        {"gmake", RUNS_LINE, ""},
	{"just", RUNS_LINE, ""},        {"gcloud", RUNS_LINE, ""},
	{"cmake", RUNS_LINE, ""},
};

static bool has_place(const struct rerun_word *word)
{
	for (size_t i = 0; i < word->count; i++)
		if (word->parts[i].is_place)
			return true;
	return false;
}

/* The text before the first place of a word. */
static const char *head_of(const struct rerun_word *word)
{
	return word->count && !word->parts[0].is_place ? word->parts[0].text : "";
}

/* Whether a word names the program, in whatever folder and version. */
static bool is_called(const struct rerun_word *word, const char *name)
{
	const char *text = has_place(word) ? "" : head_of(word), *slash = strrchr(text, '/');
	size_t len = strlen(name);
	text = slash ? slash + 1 : text;
	return strncmp(text, name, len) == 0 && text[len + strspn(text + len, "0123456789.")] == 0;
}

static bool is_option(const struct rerun_word *word)
{
	return strchr("-+", head_of(word)[0]) != NULL && *head_of(word);
}

/* Whether an option's argument is code: -xec, --eval=, --comm. */
static bool takes_code(const char *head, const char *letters)
{
	static const char *const longs[] = {"--command", "--init-command", "--eval", "--print",
					    "--run",     "--split-string", "--wrap"};
	enum { SHORTEST = 5 }; /* --com; fewer letters mean many things */
	size_t len = strcspn(head, "=");
	if (head[0] == '-' && head[1] != '-' && head[strcspn(head, letters)])
		return true;
	for (size_t k = 0; len >= SHORTEST && k < sizeof longs / sizeof *longs; k++)
		if (strncmp(head, longs[k], len) == 0)
			return true;
	return false;
}

/* Whether runner `i` has an option whose argument is code. Only a script that follows an
 * interpreter at once ends the options: what follows an option may be its argument. */
static bool runs_code(const struct rerun_words *words, size_t i, const struct runner *runner)
{
	bool has_script = i + 1 < words->count && !is_option(&words->items[i + 1]);
	if (runner->how == RUNS_SCRIPT && has_script)
		return false;
	for (size_t k = i + 1; k < words->count; k++)
		if (takes_code(head_of(&words->items[k]), runner->letters))
			return true;
	return runner->how == RUNS_TEXT;
}

static int check_runner(const struct rerun_words *words, struct rerun_word *items, size_t i,
			const struct runner *runner, struct error *err)
{
	bool is_code = runs_code(words, i, runner);
	for (size_t k = i + 1; k < words->count; k++) {
		if (is_code && has_place(&items[k]))
			return render_gate_rerun_fault(
				"it runs an argument as code, where a value could "
				"be code: put it into a script",
				head_of(&items[i]), err);
		items[k].only_plain |= runner->how == RUNS_LINE;
	}
	return 0;
}

/* Every word is looked at: any program may run the words that follow it. */
static int check_runners(const struct rerun_words *words, struct rerun_word *items,
			 struct error *err)
{
	for (size_t i = 0; i < words->count; i++)
		for (size_t r = 0; r < sizeof runners / sizeof *runners; r++)
			if (is_called(&items[i], runners[r].name) &&
			    check_runner(words, items, i, &runners[r], err) < 0)
				return -1;
	return 0;
}

/* --- where a value may stand --- */

/* Whether the first place is the value of what the form names: --kernel={{kernel}}, K={{kernel}}.
 */
static bool is_value(const struct rerun_word *word)
{
	const char *head = head_of(word);
	size_t name = strcspn(head, "=");
	return head[name] == '=' && name > strspn(head, "-") && !memchr(head, '/', name);
}

/* Whether the program is one of the project, so that a word of its own is an argument of it, and no
 * program that is run: ./bench, or the script that follows an interpreter. */
static bool is_projects(const struct rerun_words *words)
{
	const struct rerun_word *first = &words->items[0];
	bool interprets = false;
	for (size_t r = 0; r < sizeof runners / sizeof *runners; r++)
		interprets |= runners[r].how == RUNS_SCRIPT && is_called(first, runners[r].name);
	if (interprets)
		return words->count > 1 && !has_place(&words->items[1]) &&
		       !is_option(&words->items[1]) && head_of(&words->items[1])[0] != '/';
	return head_of(first)[0] != '/' && strchr(head_of(first), '/');
}

static bool is_number_or_id(const struct rerun_part *part)
{
	static const char *const ours[] = {"commit", "runs", "measurements"};
	return span_among(span_of(part->text), ours, sizeof ours / sizeof *ours);
}

/* Whether all places of a word are filled with numbers or ids of commits, which name nothing. */
static bool is_harmless(const struct rerun_word *word)
{
	for (size_t i = 0; i < word->count; i++)
		if (word->parts[i].is_place && !is_number_or_id(&word->parts[i]))
			return false;
	return true;
}

/* A value that is part of a path must not lead out of it. */
static bool is_in_path(const struct rerun_word *word)
{
	for (size_t i = 0; i < word->count; i++)
		if (!word->parts[i].is_place && strchr(word->parts[i].text, '/'))
			return true;
	return false;
}

static int check_values(const struct rerun_words *words, struct rerun_word *items,
			struct error *err)
{
	for (size_t i = 1; i < words->count; i++) {
		struct rerun_word *word = &items[i];
		bool alone = word->count == 1;
		if (is_harmless(word))
			continue;
		if (!is_value(word) && !alone)
			return render_gate_rerun_fault(
				"a value is a word of its own or follows =, as in "
				"--option={{...}} and NAME={{...}}",
				head_of(word), err);
		if (!is_value(word) && !is_projects(words))
			return render_gate_rerun_fault(
				"a value could be a program that the first word runs: write "
				"--option={{...}} or NAME={{...}}, or begin with a program of "
				"the project, ./bench {{kernel}}",
				head_of(&items[0]), err);
		word->only_plain |= alone || is_in_path(word);
	}
	return 0;
}

static int check_program(const struct rerun_words *words, const char *form, struct error *err)
{
	if (words->count == 0)
		return render_gate_rerun_fault("no command", form, err);
	if (strchr(head_of(&words->items[0]), '='))
		return render_gate_rerun_fault("the first word is a program; begin with env to set "
					       "variables",
					       form, err);
	if (has_place(&words->items[0]) || !words->items[0].count)
		return render_gate_rerun_fault("a value must not name the program", form, err);
	return 0;
}

int render_gate_rerun_split(struct arena *arena, const char *form, struct rerun_words *words,
			    struct error *err)
{
	struct splitting s = {.arena = arena, .at = form};
	int rc = 0;
	if (strpbrk(form, "\r\n"))
		return render_gate_rerun_fault("it is one line", form, err);
	while (rc == 0 && *s.at)
		rc = read_one(&s, err);
	end_word(&s);
	strbuf_free(&s.literal);
	*words = (struct rerun_words){s.words.items, s.words.count};
	if (rc < 0 || check_program(words, form, err) < 0)
		return -1;
	return check_runners(words, s.words.items, err) < 0
		       ? -1
		       : check_values(words, s.words.items, err);
}
