/* Splits the command of [gate] rerun into words, and refuses what only a shell could do. */
#include "render/gate/rerun_words.h"

int render_gate_rerun_fault(const char *what, const char *at, struct error *err)
{
	return error_set(err, ERR_USAGE, "[gate] rerun: %s, at \"%.40s\"", what, at);
}

bool render_gate_rerun_is_plain(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-./";
	return text[0] && text[strspn(text, plain)] == 0;
}

/* Beyond plain values, what stands in many options means nothing to a shell either. */
void render_gate_rerun_quote(struct strbuf *out, const char *text)
{
	struct strbuf rest = {0};
	for (const char *c = text; *c; c++)
		strbuf_addch(&rest, *c == '=' || *c == ':' || *c == ',' ? '-' : *c);
	bool bare = render_gate_rerun_is_plain(strbuf_text(&rest));
	strbuf_free(&rest);
	if (bare) {
		strbuf_addstr(out, text);
		return;
	}
	strbuf_addch(out, '\'');
	for (; *text; text++)
		if (*text == '\'')
			strbuf_addstr(out, "'\\''");
		else
			strbuf_addch(out, *text);
	strbuf_addch(out, '\'');
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
		return render_gate_rerun_fault("there are {{kernel}} and others, closed by }}",
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
			return render_gate_rerun_fault(
				"a place within quotes; it is quoted by itself", s->at, err);
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
		return render_gate_rerun_fault("a quote that does not end", start, err);
	s->at++;
	return 0;
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
		return render_gate_rerun_fault("it is one command, not a line of a shell: "
					       "backquotes, |, &, ;, <, >, ((, *, ?, "
					       "#, ~ and ! are quoted or put into a script",
					       s->at, err);
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

/* --- programs that run their arguments --- */

enum {
	RUNS_TEXT,    /* an argument is code */
	RUNS_FILE,    /* the first argument that is not an option is a script or module */
	RUNS_PROGRAM, /* an argument is the program that is run */
	RUNS_LINE,    /* the arguments are joined to a line of a shell */
	RUNS_RECIPE,  /* arguments are inserted into lines of a shell */
};

static const struct runner {
	const char *name; /* a pattern */
	int how;
	const char *code; /* letters of options whose argument is code: with one it is RUNS_TEXT */
} runners[] = {
	{"eval", RUNS_TEXT, ""},        {"source", RUNS_TEXT, ""},
	{".", RUNS_TEXT, ""},           {"trap", RUNS_TEXT, ""},
	{"*awk", RUNS_TEXT, ""},        {"sh", RUNS_FILE, "c"},
	{"bash", RUNS_FILE, "c"},       {"rbash", RUNS_FILE, "c"},
	{"dash", RUNS_FILE, "c"},       {"ash", RUNS_FILE, "c"},
	{"ksh", RUNS_FILE, "c"},        {"mksh", RUNS_FILE, "c"},
	{"zsh", RUNS_FILE, "c"},        {"fish", RUNS_FILE, "c"},
	{"csh", RUNS_FILE, "c"},        {"tcsh", RUNS_FILE, "c"},
	{"python*", RUNS_FILE, "c"},    {"pypy*", RUNS_FILE, "c"},
	{"perl*", RUNS_FILE, "eE"},     {"ruby*", RUNS_FILE, "e"},
	{"node", RUNS_FILE, "ep"},      {"nodejs", RUNS_FILE, "ep"},
	{"php*", RUNS_FILE, "r"},       {"lua*", RUNS_FILE, "e"},
	{"env", RUNS_PROGRAM, "S"},     {"su", RUNS_PROGRAM, "c"},
	{"runuser", RUNS_PROGRAM, "c"}, {"script", RUNS_PROGRAM, "c"},
	{"flock", RUNS_PROGRAM, "c"},   {"sudo", RUNS_PROGRAM, ""},
	{"doas", RUNS_PROGRAM, ""},     {"nice", RUNS_PROGRAM, ""},
	{"ionice", RUNS_PROGRAM, ""},   {"nohup", RUNS_PROGRAM, ""},
	{"time", RUNS_PROGRAM, ""},     {"timeout", RUNS_PROGRAM, ""},
	{"exec", RUNS_PROGRAM, ""},     {"command", RUNS_PROGRAM, ""},
	{"builtin", RUNS_PROGRAM, ""},  {"xargs", RUNS_PROGRAM, ""},
	{"find", RUNS_PROGRAM, ""},     {"setsid", RUNS_PROGRAM, ""},
	{"stdbuf", RUNS_PROGRAM, ""},   {"taskset", RUNS_PROGRAM, ""},
	{"chrt", RUNS_PROGRAM, ""},     {"numactl", RUNS_PROGRAM, ""},
	{"srun", RUNS_PROGRAM, ""},     {"mpi*", RUNS_PROGRAM, ""},
	{"docker", RUNS_PROGRAM, ""},   {"podman", RUNS_PROGRAM, ""},
	{"busybox", RUNS_PROGRAM, "c"}, {"ssh", RUNS_LINE, ""},
	{"watch", RUNS_LINE, ""},       {"parallel", RUNS_LINE, ""},
	{"tmux", RUNS_LINE, ""},        {"screen", RUNS_LINE, ""},
	{"*make", RUNS_RECIPE, ""},
};

/* The text of a word without places; NULL if it has one. */
static const char *text_of(const struct rerun_word *word)
{
	if (word->count == 0)
		return "";
	return word->count == 1 && !word->parts[0].is_place ? word->parts[0].text : NULL;
}

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

/* Whether a runner has an option whose argument is code. An interpreter's options end at its
 * script. */
static bool runs_code(const struct rerun_words *words, size_t i, const struct runner *runner)
{
	static const char *const longs[] = {"--comm", "--eval", "--print", "--run", "--split"};
	for (i++; *runner->code && i < words->count; i++) {
		const char *head = head_of(&words->items[i]);
		if (head[0] != '-' && runner->how == RUNS_FILE)
			return false;
		if (head[0] == '-' && head[1] != '-' && head[strcspn(head, runner->code)])
			return true;
		for (size_t k = 0; k < sizeof longs / sizeof *longs; k++)
			if (strncmp(head, longs[k], strlen(longs[k])) == 0)
				return true;
	}
	return false;
}

/* Whether word `k` begins with a place, where the program or script of runner `i` may be. */
static bool names_program(const struct rerun_words *words, size_t i, size_t k, int how)
{
	if (!words->items[k].count || !words->items[k].parts[0].is_place)
		return false;
	for (i++; how == RUNS_FILE && i < k; i++) {
		const char *text = text_of(&words->items[i]);
		if (text && text[0] != '-')
			return false;
	}
	return true;
}

/* Checks the words after runner `i`, and marks those that take plain values only. */
static int check_runner(const struct rerun_words *words, struct rerun_word *items, size_t i,
			const struct runner *runner, struct error *err)
{
	int how = runs_code(words, i, runner) ? RUNS_TEXT : runner->how;
	for (size_t k = i + 1; k < words->count; k++) {
		if (!has_place(&items[k]))
			continue;
		if (how == RUNS_TEXT)
			return render_gate_rerun_fault(
				"it runs an argument as code, where a value could "
				"be code: put it into a script",
				text_of(&items[i]), err);
		if (how != RUNS_RECIPE && names_program(words, i, k, how))
			return render_gate_rerun_fault(
				"it runs an argument as a program, which a value "
				"must not name: write --option={{...}}",
				text_of(&items[i]), err);
		items[k].only_plain |= how == RUNS_LINE || how == RUNS_RECIPE;
	}
	return 0;
}

/* The first word is a program; what it runs may run further ones. */
static int check_runners(const struct rerun_words *words, struct rerun_word *items,
			 struct error *err)
{
	bool runs = true;
	for (size_t i = 0; i < words->count && runs; i++) {
		const char *text = text_of(&items[i]);
		const char *slash = text ? strrchr(text, '/') : NULL;
		runs = i > 0;
		for (size_t r = 0; text && r < sizeof runners / sizeof *runners; r++) {
			const struct runner *runner = &runners[r];
			if (!span_glob(runner->name, slash ? slash + 1 : text))
				continue;
			runs = true;
			if (check_runner(words, items, i, runner, err) < 0)
				return -1;
		}
	}
	return 0;
}

static int check_program(const struct rerun_words *words, const char *form, struct error *err)
{
	if (words->count == 0)
		return render_gate_rerun_fault("there is no command", form, err);
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
	return check_runners(words, s.words.items, err);
}
