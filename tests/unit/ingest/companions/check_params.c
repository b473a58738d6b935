/* params.json: flattening, valid files, and files that only look similar. */
#include "ingest/reader.h"

#include "base/strbuf.h"
#include "tests/unit/ingest_fixture.h"

/* All parameters, as "name=value; ...". */
static const struct {
	const char *text, *params;
} good[] = {
	{"{\"dtype\":\"bf16\",\"b\":1,\"s\":512}", "b=1; dtype=bf16; s=512; "},
	{"\xef\xbb\xbf \n{\"b\": 1.0, \"scale\": 0.125, \"eps\": 1e-6, \"big\": 1e6}\n",
	 "b=1; big=1000000; eps=1e-06; scale=0.125; "},
	{"{\"config\":{\"b\":1,\"causal\":true,\"masked\":false},\"kernel\":\"mla\"}",
	 "b=1; causal=true; kernel=mla; masked=false; "},
	{"{\"config\":{\"b\":1},\"b\":2}", "b=2; config.b=1; "},
	{"{\"q\":{\"h\":16},\"k\":{\"h\":8,\"d\":{\"n\":4}},\"dtype\":\"fp8\"}",
	 "dtype=fp8; k.h=8; n=4; q.h=16; "},
	{"{\"b\":1,\"tile\":[128, 512],\"nested\":[[1,2],[\"a b\"]]}",
	 "b=1; nested=[[1,2],[\"a b\"]]; tile=[128,512]; "},
	{"{\"b\":1,\"mask\":null,\"variant\":\"\",\"empty\":{}}", "b=1; variant=; "},
	{"{\"B\":1,\"b\":2}", "B=1; b=2; "},
	{"{\"kernel\":\"\\u00b5-kernel\"}", "kernel=\xc2\xb5-kernel; "},
	{"{\"b\":-3}", "b=-3; "},
	{"{\"parameters\":{\"x\":0}}", "x=0; "},
	{"{\"dtype\":null,\"config\":{\"b\":null}}", ""},
};

START_TEST(flattens)
{
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct ingest_outcome out = ingest_text(NULL, good[i].text);
		struct strbuf sb = {0};
		ck_assert_msg(out.rc == 0, "%s: %s", good[i].text, out.err.text);
		ck_assert_ptr_eq(out.used, &params_reader);
		for (size_t k = 0; k < out.result.param_count; k++)
			strbuf_addf(&sb, "%s=%s; ", out.result.params[k].name,
				    out.result.params[k].value);
		ck_assert_str_eq(strbuf_text(&sb), good[i].params);
		strbuf_free(&sb);
		arena_free(&out.arena);
	}
}
END_TEST

static const struct {
	const char *text, *message;
} wrong[] = {
	{"[1]", "parameters must be one JSON object"},
	{"{}", "no parameter has a value"},
	{"{\"b\":1,\"runs\":{\"all\":[[{}]]}}",
	 "runs.all: a list of objects is not a valid parameter"},
	{"{\"a\":{\"\":1}}", "a.: not a valid parameter name"},
	{"{\"a\\nb\":1}", "a\n"
			  "b: not a valid parameter name"},
	{"{\"a\":\"two\\nlines\"}", "a: a parameter must be one line of text"},
	{"{\"x\":{\"b\":1},\"y\":{\"b\":2},\"x.b\":3}", "x.b: duplicate parameter"},
	{"{\"dtype\":\"bf16\",\"b\":", "the JSON ends too early at line 1, column 21 (byte 20)"},
};

START_TEST(refuses_the_wrong)
{
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ingest_refuses(&params_reader, wrong[i].text, wrong[i].message);
}
END_TEST

START_TEST(limits_the_size)
{
	struct strbuf sb = {0};
	strbuf_addstr(&sb, "{\"b0\":0");
	for (int i = 1; i <= 256; i++)
		strbuf_addf(&sb, ",\"b%d\":0", i);
	strbuf_addstr(&sb, "}");
	ingest_refuses(&params_reader, sb.buf, "b256: more than 256 parameters");
	strbuf_truncate(&sb, sb.len - 1);
	strbuf_repeat(&sb, " ", 1 << 20);
	strbuf_addstr(&sb, "}");
	ingest_refuses(&params_reader, sb.buf,
		       "larger than 1048576 bytes, the limit for such a file");
	strbuf_free(&sb);
}
END_TEST

/* {"b":1,"xxx":{"0":{},"1":{} ...}} */
static struct ingest_outcome read_empty_objects(size_t name_length)
{
	struct strbuf sb = {0};
	strbuf_addstr(&sb, "{\"b\":1,\"");
	strbuf_repeat(&sb, "x", name_length);
	strbuf_addstr(&sb, "\":");
	for (int i = 0; i < 5000; i++)
		strbuf_addf(&sb, "%c\"%x\":{}", i ? ',' : '{', i);
	strbuf_addstr(&sb, "}}");
	struct ingest_outcome out = ingest_text(&params_reader, sb.buf);
	strbuf_free(&sb);
	return out;
}

START_TEST(limits_the_names)
{
	struct ingest_outcome brief = read_empty_objects(1), longest = read_empty_objects(507);
	ck_assert_int_eq(brief.rc, 0);
	ck_assert_int_eq(longest.rc, 0);
	/* Only names that are kept take memory. */
	ck_assert_uint_lt(longest.arena.used, brief.arena.used + 4096);
	arena_free(&longest.arena);
	arena_free(&brief.arena);
	for (size_t length = 512; length < 300000; length *= 10) {
		struct ingest_outcome out = read_empty_objects(length);
		ck_assert_int_lt(out.rc, 0);
		ck_assert_msg(strstr(out.err.text,
				     "xx: the parameter name is longer than 512 bytes, "
				     "including the names of enclosing objects"),
			      "%s", out.err.text);
		arena_free(&out.arena);
	}
}
END_TEST

/* Whether the head is taken for parameters. */
static const struct {
	const char *text;
	bool is_params;
} heads[] = {
	{"{\"s\":512}", true},
	{"{\"M\":128,\"K\":128,\"N\":64}", true},
	{"{\"dtype\":\"bf16\",\"b\"", true}, /* cut off: reading says where */
	{"{\"config\":{\"block\":128}}", true},
	{"{\"shape\":[1,2],\"kernel\":\"x\"}", true},
	{"", false},
	{"{}", false},
	{"{\"config\":{}}", false},
	{"{\"name\":\"left-pad\",\"version\":\"1.0\"}", false},
	{"{\"name\":\"x\",\"config\":{\"a\":1},\"scripts\":{\"b\":\"c\"}}", false},
	{"{\"block\":128,\"stages\":3}", false},
	{"{\"kernel\":\"x\"}\n{\"kernel\":\"y\"}\n", false},
	{"[{\"kernel\":\"x\",\"b\":1}]", false},
	{"{\"kernel\":\"x\",\"runs\":[{\"b\":1}]}", false},
	{"{\"kernel\":\"x\",\"metrics\":{\"latency_us\":463.0}}", false},
	{"{\"kernel\":\"x\",\"b\":1,\"latency_ms\":0.5}", false},
	{"{\"b\":1,\"total_time\":0.2}", false},
	{"{\"config\":{\"dtype\":\"fp32\"},\"results\":{\"a\":1}}", false},
	{"{\"model_type\":\"llama\",\"dtype\":\"bfloat16\"}", false},
	{"{\"other\":{\"b\":1},\"a\":2}", false},
	{"{\"kernel\":{\"b\":1},\"a\":2}", false},
	{"{'b': 1}", false},
	{"{\"b\":x}", false},
};

START_TEST(detects)
{
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		ck_assert_msg(params_reader.detect(span_of(heads[i].text)) == heads[i].is_params,
			      "%s", heads[i].text);
}
END_TEST

/* Only the beginning is known if the document is longer than the head. */
START_TEST(detects_long_documents)
{
	struct strbuf sure = {0}, vague = {0};
	strbuf_addstr(&sure, "{\"b\":1,\"dtype\":\"bf16\",\"text\":\"");
	strbuf_addstr(&vague, "{\"b\":1,\"text\":\"");
	strbuf_repeat(&sure, "x", input_head_size);
	strbuf_repeat(&vague, "x", input_head_size);
	ck_assert(params_reader.detect((struct span){sure.buf, input_head_size}));
	ck_assert(!params_reader.detect((struct span){vague.buf, input_head_size}));
	strbuf_free(&sure);
	strbuf_free(&vague);
}
END_TEST

UNIT_MAIN("params", flattens, refuses_the_wrong, limits_the_size, limits_the_names, detects,
	  detects_long_documents)
