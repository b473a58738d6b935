/* A document read by two threads against the same one read by one: the same records in the same
 * order, the same counts, the same words about what is wrong, in whatever order the threads meet.
 */
#include "ingest/json/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "tests/unit/json_log.h"
#include "tests/unit/random.h"
#include "tests/unit/unit.h"

/* --- who waits for whom --- */

enum { never = 1000000 };

/* Sanitizers are slow, and see in fewer documents what they can see. */
#ifdef __SANITIZE_ADDRESS__
enum { documents = 250 };
#else
enum { documents = 1000 };
#endif

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool reader_waits;       /* until the other thread ends by itself */
	int guesses, looks;      /* after which that waits to be stopped */
	int guessed, looked;     /* for this order */
	unsigned stopped, ended; /* the last order */
	int sent;
} meeting = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void note(enum json_ahead_event event, unsigned order)
{
	meeting.sent += event == JSON_AHEAD_SENT;
	meeting.looked += event == JSON_AHEAD_LOOKS;
	meeting.guessed += event == JSON_AHEAD_GUESSES;
	if (event == JSON_AHEAD_BEGINS)
		meeting.looked = meeting.guessed = 0;
	if (event == JSON_AHEAD_STOPPING)
		meeting.stopped = order;
	if (event == JSON_AHEAD_ENDS)
		meeting.ended = order;
}

static void pause_at(enum json_ahead_event event, unsigned order)
{
	pthread_mutex_lock(&meeting.lock);
	note(event, order);
	pthread_cond_broadcast(&meeting.changed);
	while (event == JSON_AHEAD_SENT && meeting.reader_waits && meeting.ended < order)
		pthread_cond_wait(&meeting.changed, &meeting.lock);
	while (((event == JSON_AHEAD_LOOKS && meeting.looked > meeting.looks) ||
		(event == JSON_AHEAD_GUESSES && meeting.guessed > meeting.guesses)) &&
	       meeting.stopped < order)
		pthread_cond_wait(&meeting.changed, &meeting.lock);
	pthread_mutex_unlock(&meeting.lock);
	if (!meeting.reader_waits)
		sched_yield();
}

/* --- a table of sections that writes down what it is given --- */

struct outcome {
	struct strbuf log;
	const struct json_value *own; /* where the reader itself has its values */
	size_t taken_over;            /* records that were elsewhere */
	struct json_stream_counts counts;
	struct error err;
	int rc;
};

static int log_record(void *context, struct span section, const struct json_value *values,
		      struct error *err)
{
	struct outcome *out = context;
	strbuf_addspan(&out->log, section);
	strbuf_addf(&out->log, "(%d,%d):", (int)out->counts.not_numbers,
		    (int)out->counts.duplicates);
	for (int i = 0; values && i < 3; i++)
		json_log_value(&out->log, &values[i]);
	strbuf_addch(&out->log, '|');
	out->own = out->own ? out->own : values;
	out->taken_over += values && values != out->own;
	if (out->taken_over % 8 == 1)
		sched_yield(); /* what should not be written now may be */
	if (values && values[0].kind == JSON_VALUE_NUMBER && values[0].number == 666)
		return error_set(err, ERR_FORMAT, "refused");
	return 0;
}

static int log_member(void *context, struct span section, struct span name,
		      const struct json_value *value, struct error *err)
{
	struct outcome *out = context;
	(void)section, (void)err;
	strbuf_addspan(&out->log, name);
	json_log_value(&out->log, value);
	return 0;
}

static const struct json_field fields[] = {{"duration", JSON_FIELD_NUMBER},
					   {"opcode", JSON_FIELD_TEXT},
					   {"k", JSON_FIELD_ANY},
					   {NULL, JSON_FIELD_ANY}};
static const struct json_section some[] = {
	{"r", fields, NULL, log_record},
	{"s", fields, NULL, log_record},
	{"m", NULL, log_member, log_record},
	{"quiet", fields, NULL, NULL},
	{NULL, NULL, NULL, NULL},
};
static const struct json_section any[] = {
	{"m", NULL, log_member, log_record},
	{"*", fields, NULL, log_record},
	{NULL, NULL, NULL, NULL},
};

/* --- documents --- */

static const char *pick(const char *const *list, size_t count)
{
	return list[random_below(count)];
}
#define PICK(...)                                                                                  \
	pick((const char *const[]){__VA_ARGS__},                                                   \
	     sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static bool spaced;

static void add_gap(struct strbuf *sb)
{
	if (spaced && random_below(2))
		strbuf_addstr(sb, PICK(" ", "\n  ", "\r\n\t", "    "));
}

static void add_member(struct strbuf *sb)
{
	switch (random_below(8)) {
	case 0:
		strbuf_addf(sb, "\"duration\":%zu", random_below(5000));
		break;
	case 1:
		strbuf_addf(sb, "\"duration\":%s", PICK("NaN", "1.5e3", "null", "-0", "12"));
		break;
	case 2:
		strbuf_addf(sb, "\"opcode\":\"%s\"", PICK("MATMUL", "},{\\\"k", "a\\\\", "", "[{"));
		break;
	case 3:
		strbuf_addf(sb, "\"k\":%s", PICK("true", "[1,2]", "{\"k\":{}}", "\"text\"", "7"));
		break;
	case 4:
		strbuf_addf(sb, "\"before\":[{\"id\":1},{\"id\":%zu},{\"opcode\":\"%s\"}]",
			    random_below(100), PICK("x", "],\\\"r\\\":[{"));
		break;
	case 5:
		strbuf_addstr(sb, "\"deep\":{\"r\":[{\"duration\":1},{\"duration\":2}],\"s\":[]}");
		break;
	default:
		strbuf_addf(sb, "\"%s\":\"%s\"", PICK("x", "y", "queue"), PICK("},{", "]", "q"));
	}
}

static void add_record(struct strbuf *sb)
{
	strbuf_addch(sb, '{');
	for (size_t i = 0, n = random_below(6); i < n; i++) {
		strbuf_addstr(sb, i ? "," : "");
		add_gap(sb);
		add_member(sb);
	}
	strbuf_addch(sb, '}');
}

static void add_section(struct strbuf *sb, const char *name, size_t records)
{
	strbuf_addf(sb, "\"%s\":", name);
	if (random_below(6) == 0) {
		strbuf_addstr(sb, strcmp(name, "x") == 0 ? "{\"r\":[{\"a\":1},{\"b\":2}]}" : "{}");
		return;
	}
	strbuf_addch(sb, '[');
	for (size_t i = 0; i < records; i++) {
		strbuf_addstr(sb, i ? "," : "");
		add_gap(sb);
		if (random_below(100))
			add_record(sb);
		else
			strbuf_addstr(sb,
				      strcmp(name, "x") == 0 ? "[{\"a\":[]},{\"r\":1}]" : "null");
		add_gap(sb);
	}
	strbuf_addch(sb, ']');
}

static void make_document(struct strbuf *sb)
{
	static const char *const names[] = {"r", "x", "s", "m", "quiet", "y", "z"};
	const size_t count = sizeof names / sizeof *names;
	size_t first = random_below(count);
	spaced = random_below(3) == 0;
	strbuf_reset(sb);
	strbuf_addch(sb, '{');
	for (size_t i = 0, n = 1 + random_below(count); i < n; i++) {
		strbuf_addstr(sb, i ? "," : "");
		/* Now and then one of them appears a second time. */
		const char *name = random_below(40) ? names[(first + i) % count] : "r";
		add_section(sb, name, random_below(2) ? random_below(8) : random_below(200));
	}
	strbuf_addch(sb, '}');
}

static void spoil(struct strbuf *sb)
{
	static const char bytes[] = "{}[]\",:\\ 0-e\n\x01\xff";
	size_t at = random_below(sb->len);
	switch (random_below(4)) {
	case 0:
		sb->buf[at] = bytes[random_below(sizeof bytes - 1)];
		break;
	case 1:
		strbuf_truncate(sb, at);
		break;
	case 2:
		memmove(sb->buf + at, sb->buf + at + 1, sb->len - at - 1);
		sb->len--;
		break;
	default:
		strbuf_addstr(sb, "},{\"duration\":666}]");
	}
}

/* --- the comparison --- */

static void read_with(struct outcome *out, const struct json_stream *how, size_t threads,
		      struct input *input)
{
	struct json_stream stream = *how;
	stream.context = out;
	strbuf_reset(&out->log);
	out->err = (struct error){0};
	out->own = NULL;
	out->taken_over = 0;
	input_set_threads(input, threads);
	out->rc = json_stream_read(&stream, input, &out->counts, &out->err);
	input_close(input);
}

static void compare(const struct outcome *want, const struct outcome *got, struct span text)
{
	ck_assert_msg(strcmp(strbuf_text(&want->log), strbuf_text(&got->log)) == 0,
		      "handed over\n%s\nand not\n%s\n%s\n%.*s", strbuf_text(&got->log),
		      strbuf_text(&want->log), got->err.text, (int)text.len, text.ptr);
	ck_assert_msg(want->rc == got->rc && strcmp(want->err.text, got->err.text) == 0 &&
			      want->err.kind == got->err.kind,
		      "said\n%s\nand not\n%s\n%.*s", got->err.text, want->err.text, (int)text.len,
		      text.ptr);
	ck_assert_uint_eq(want->counts.duplicates, got->counts.duplicates);
	ck_assert_uint_eq(want->counts.not_numbers, got->counts.not_numbers);
}

static void set_meeting(bool reader_waits, int guesses, int looks)
{
	meeting.reader_waits = reader_waits;
	meeting.guesses = guesses;
	meeting.looks = looks;
	meeting.guessed = meeting.looked = meeting.sent = 0;
	meeting.stopped = meeting.ended = 0;
}

/* Each way in which the threads can meet: records that were taken over. */
static size_t read_all_ways(struct span text, const struct json_stream *how)
{
	static struct outcome want, got;
	static const struct {
		bool reader_waits;
		int guesses, looks;
	} ways[] = {{true, never, never}, {false, never, 0}, {false, never, 2},
		    {false, 1, never},    {false, 2, never}, {false, never, never}};
	size_t taken_over = 0;
	read_with(&want, how, 1, input_of_bytes(text));
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		set_meeting(ways[i].reader_waits, ways[i].guesses, ways[i].looks);
		read_with(&got, how, 2, input_of_bytes(text));
		compare(&want, &got, text);
		taken_over += got.taken_over;
	}
	return taken_over;
}

START_TEST(is_as_with_one_thread)
{
	struct strbuf text = {0};
	size_t taken_over = 0;
	int bad = 0;
	for (int i = 0; i < documents; i++) {
		const struct json_ahead_rules rules = {
			.distance = 64 << random_below(7),
			.log = 256 << random_below(7),
			.step = 1 + random_below(1000),
			.pause = pause_at,
		};
		const struct json_stream how = {
			.sections = random_below(3) ? some : any,
			.room = 64 << random_below(7),
			.ahead = &rules,
		};
		make_document(&text);
		if (i % 3 == 2)
			spoil(&text);
		size_t taken = read_all_ways(strbuf_span(&text), &how);
		taken_over += taken;
		bad += taken && i % 3 == 2;
	}
	ck_assert_uint_gt(taken_over, documents * 6);
	ck_assert_int_gt(bad, documents / 30);
	strbuf_free(&text);
}
END_TEST

/* --- the usual case --- */

static const struct json_ahead_rules small_rules = {
	.distance = 4096, .log = 65536, .step = 512, .pause = pause_at};

static void make_records(struct strbuf *text, const char *section, int count)
{
	strbuf_addf(text, "\"%s\":[", section);
	for (int i = 0; i < count; i++)
		strbuf_addf(text,
			    "%s{\"duration\":%d,\"opcode\":\"n%d\",\"k\":[{\"a\":1},{\"b\":2}]}",
			    i ? "," : "", i + 1000, i);
	strbuf_addstr(text, "]");
}

/* Most of what can be read by the other thread is: of a file, too, whose bytes are all counted. */
START_TEST(takes_over_most_records)
{
	static struct outcome want, got;
	char path[] = "/tmp/check_json_ahead-XXXXXX";
	const struct json_stream how = {.sections = some, .room = 1024, .ahead = &small_rules};
	struct strbuf text = {0};
	struct error err;
	_Atomic uint64_t counted = 0;
	strbuf_addch(&text, '{');
	make_records(&text, "r", 2000);
	strbuf_addch(&text, ',');
	make_records(&text, "s", 2000);
	strbuf_addch(&text, '}');
	int fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text.buf, text.len), (ssize_t)text.len);
	close(fd);
	read_with(&want, &how, 1, input_open(path, &err));
	ck_assert_int_eq(want.rc, 0);
	ck_assert_uint_eq(want.taken_over, 0);
	for (int in_memory = 0; in_memory < 2; in_memory++) {
		struct input *input =
			in_memory ? input_of_bytes(strbuf_span(&text)) : input_open(path, &err);
		counted = 0;
		input_set_progress(input, &counted);
		set_meeting(true, never, never);
		read_with(&got, &how, 2, input);
		compare(&want, &got, strbuf_span(&text));
		ck_assert_uint_gt(got.taken_over, 2000);
		ck_assert_uint_eq(counted, text.len);
	}
	unlink(path);
	strbuf_free(&text);
}
END_TEST

/* The guess is right, but the reader has meanwhile seen a section that the thread sees as well. */
START_TEST(refuses_a_section_that_both_saw)
{
	static struct outcome want, got;
	const struct json_stream how = {.sections = some, .room = 1024, .ahead = &small_rules};
	struct strbuf text = {0};
	static const struct {
		const char *name;
		int count;
	} parts[] = {{"x", 10}, {"r", 10}, {"x", 200}, {"r", 200}};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		strbuf_addch(&text, i ? ',' : '{');
		make_records(&text, parts[i].name, parts[i].count);
	}
	strbuf_addch(&text, '}');
	read_with(&want, &how, 1, input_of_bytes(strbuf_span(&text)));
	ck_assert_ptr_nonnull(strstr(want.err.text, "a second time"));
	set_meeting(true, never, never);
	read_with(&got, &how, 2, input_of_bytes(strbuf_span(&text)));
	compare(&want, &got, strbuf_span(&text));
	strbuf_free(&text);
}
END_TEST

/* An array in an array has no records: each guess is wrong, and soon none is made. */
START_TEST(gives_up_where_guesses_are_wrong)
{
	static struct outcome want, got;
	const struct json_stream how = {.sections = some, .room = 1024, .ahead = &small_rules};
	struct strbuf text = {0};
	strbuf_addstr(&text, "{\"x\":[1,2,[");
	for (int i = 0; i < 20000; i++)
		strbuf_addf(&text, "%s{\"duration\":%d}", i ? "," : "", i);
	strbuf_addstr(&text, "],[");
	for (int i = 0; i < 20000; i++)
		strbuf_addf(&text, "%s[{\"a\":[1]},{\"b\":%d}]", i ? "," : "", i);
	strbuf_addstr(&text, "]],");
	make_records(&text, "r", 1000);
	strbuf_addch(&text, '}');
	read_with(&want, &how, 1, input_of_bytes(strbuf_span(&text)));
	ck_assert_int_eq(want.rc, 0);
	set_meeting(true, never, never);
	read_with(&got, &how, 2, input_of_bytes(strbuf_span(&text)));
	compare(&want, &got, strbuf_span(&text));
	ck_assert_int_lt(meeting.sent, (int)(text.len / small_rules.distance / 4));
	strbuf_free(&text);
}
END_TEST

UNIT_MAIN("json_ahead", is_as_with_one_thread, takes_over_most_records,
	  refuses_a_section_that_both_saw, gives_up_where_guesses_are_wrong)
