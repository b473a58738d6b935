/* devices.json: its forms and units, what it leaves to the built-in table, and mistaken units. */
#include "ingest/reader.h"

#include "tests/unit/ingest_fixture.h"

static struct ingest_outcome read_text(const char *text)
{
	struct ingest_outcome out = ingest_text(NULL, text);
	ck_assert_msg(out.rc == 0, "%s\n%s", text, out.err.text);
	ck_assert_ptr_eq(out.used, &devices_reader);
	return out;
}

/* Each is one device "x" with these figures; -1 stands for unknown. */
static const struct {
	const char *text;
	double bf16, fp32, bandwidth, clock;
} forms[] = {
	{"{\"x\":{\"peak_tflops\":312,\"peak_gbps\":1555}}", 312e12, -1, 1555e9, -1},
	{"{\"x\":{\"peak_tflops\":{\"bf16\":312,\"fp32\":19.5},\"clock_mhz\":1410}}", 312e12,
	 19.5e12, -1, 1410e6},
	{"{\"devices\":[{\"name\":\"x\",\"peak_flops\":3.12e14,\"bandwidth\":1.555e12}]}", 312e12,
	 -1, 1555e9, -1},
	{"{\"x\":{\"peak_flops\":1e16}}", 1e16, -1, -1, -1},
	{"{\"x\":{\"peak_flops\":10000000000000000}}", 1e16, -1, -1, -1},
	{"{\"devices\":[{\"name\":\"x\",\"bandwidth\":\"1555 GB/s\"}]}", -1, -1, 1555e9, -1},
	{"{\"devices\":{\"x\":{\"peak_flops\":\"312 TFLOP/s\",\"clock\":\"1.41 GHz\"}}}", 312e12,
	 -1, -1, 1.41e9},
	{"{\"x\":{\"peak_tflops\":{\"BFloat16\":\"312\",\"float32\":\"19.5 TFLOP/s\",\"int4\":9}}}",
	 312e12, 19.5e12, -1, -1},
	{"{\"x\":{\"peak_tflops\":312,\"peak_flops\":{\"fp32\":1.95e13}}}", 312e12, 19.5e12, -1,
	 -1},
	{"{\"_comment\":\"mine\",\"version\":2,\"meta\":{\"by\":\"me\"},\"x\":{\"peak_gbps\":1555,"
	 "\"peak_tflops\":null,\"future\":[1]}}",
	 -1, -1, 1555e9, -1},
};

static void check_figure(double number, double expected, const char *text)
{
	ck_assert_msg(expected < 0 ? isnan(number) : fabs(number / expected - 1) < 1e-15,
		      "%s: %.17g, not %.17g", text, number, expected);
}

START_TEST(reads_all_forms)
{
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		struct ingest_outcome out = read_text(forms[i].text);
		ck_assert_uint_eq(out.result.devices.count, 1);
		const struct hardware *device = &out.result.devices.items[0];
		ck_assert_str_eq(device->name, "x");
		ck_assert_str_eq(device->title, "x");
		ck_assert_str_eq(device->aliases, "");
		ck_assert_str_eq(device->source, "devices.json");
		ck_assert_int_eq(device->confidence, CONFIDENCE_MEDIUM);
		ck_assert(!device->per_core);
		check_figure(device->peak_flops[DTYPE_BF16], forms[i].bf16, forms[i].text);
		check_figure(device->peak_flops[DTYPE_FP32], forms[i].fp32, forms[i].text);
		check_figure(device->bandwidth, forms[i].bandwidth, forms[i].text);
		check_figure(device->clock, forms[i].clock, forms[i].text);
		ck_assert(isnan(device->peak_flops[DTYPE_FP64]));
		arena_free(&out.arena);
	}
}
END_TEST

START_TEST(reads_words)
{
	struct ingest_outcome out = read_text(
		"{\"a\":{\"peak_gbps\":1,\"aliases\":[\"a1\",\"A-2\"],\"title\":\"The A\","
		"\"per_core\":true,\"confidence\":\"high\",\"source\":\"measured\"},"
		"\"b\":{\"peak_gbps\":2,\"aliases\":\"b1\"}}");
	const struct hardware *a = &out.result.devices.items[0];
	ck_assert_uint_eq(out.result.devices.count, 2);
	ck_assert_str_eq(a->title, "The A");
	ck_assert_str_eq(a->aliases, "a1 A-2");
	ck_assert_str_eq(a->source, "measured");
	ck_assert(a->per_core);
	ck_assert_int_eq(a->confidence, CONFIDENCE_HIGH);
	ck_assert_str_eq(hardware_find(&out.result.devices, "a-2")->name, "a");
	ck_assert_str_eq(hardware_find(&out.result.devices, "b1")->name, "b");
	arena_free(&out.arena);
}
END_TEST

START_TEST(leaves_the_rest_to_the_table)
{
	struct ingest_outcome out = read_text("{\"trn2\":{\"peak_gbps\":700}}");
	const struct hardware *device = &out.result.devices.items[0];
	ck_assert(device->per_core);
	ck_assert_str_eq(device->title, hardware_find(NULL, "trn2")->title);
	ck_assert(isnan(device->peak_flops[DTYPE_BF16]));
	arena_free(&out.arena);
}
END_TEST

#define DEVICE(members) "{\"x\":{" members "}}"

static const struct {
	const char *text, *message;
} wrong[] = {
	{DEVICE("\"peak_tflops\":0"), "x.peak_tflops: 0 FLOP/s is not a plausible peak; numbers "
				      "without a unit count as 1e+12 FLOP/s"},
	{DEVICE("\"peak_tflops\":{\"bf16\":-5}"),
	 "x.peak_tflops.bf16: -5.000 TFLOP/s is not a plausible peak; numbers without a unit count "
	 "as 1e+12 FLOP/s"},
	{DEVICE("\"peak_tflops\":3.12e14"), "x.peak_tflops: 3.120e+11 PFLOP/s is not a plausible "
					    "peak; numbers without a unit count as 1e+12 FLOP/s"},
	{DEVICE("\"peak_flops\":312"), "x.peak_flops: 312 FLOP/s is not a plausible peak; numbers "
				       "without a unit count as 1 FLOP/s"},
	{DEVICE("\"bandwidth\":1555,\"peak_tflops\":1"),
	 "x.bandwidth: 1.555 kB/s is not a plausible peak; numbers without a unit count as 1 B/s"},
	{DEVICE("\"peak_gbps\":\"fast\""),
	 "x.peak_gbps: expected a number, or a string such as \"1555 GB/s\""},
	{DEVICE("\"peak_gbps\":\"1555 GFLOP/s\""),
	 "x.peak_gbps: expected a number, or a string such as \"1555 GB/s\""},
	{DEVICE("\"peak_tflops\":[312]"),
	 "x.peak_tflops: expected a number, or a string such as \"312 TFLOP/s\""},
	{DEVICE("\"peak_gbps\":1,\"clock_mhz\":true"),
	 "x.clock_mhz: expected a number, or a string such as \"1.4 GHz\""},
	{DEVICE("\"peak_tflops\":{\"int4\":1}"),
	 "x.peak_tflops: no known dtype (bf16, fp16, fp32 ...)"},
	{DEVICE("\"peak_tflops\":{\"bf16\":1,\"bfloat16\":2}"),
	 "x.peak_tflops.bfloat16: duplicate peak"},
	{DEVICE("\"peak_tflops\":1,\"peak_flops\":1e12"), "x.peak_flops: duplicate peak"},
	{DEVICE("\"peak_gbps\":1,\"bandwidth\":1e9"), "x.bandwidth: duplicate peak"},
	{DEVICE("\"peak_gbps\":null"), "x: the device has neither peak_tflops nor peak_gbps"},
	{DEVICE("\"peak_gbps\":1,\"confidence\":\"sure\""),
	 "x.confidence: expected \"low\", \"medium\" or \"high\""},
	{DEVICE("\"peak_gbps\":1,\"confidence\":1"), "x.confidence: expected one line of text"},
	{DEVICE("\"peak_gbps\":1,\"aliases\":[\"a b\"]"),
	 "x.aliases: an alias must be a string without spaces"},
	{DEVICE("\"peak_gbps\":1,\"aliases\":3"),
	 "x.aliases: an alias must be a string without spaces"},
	{DEVICE("\"peak_gbps\":1,\"per_core\":\"yes\""), "x.per_core: expected true or false"},
	{"{\"devices\":[{\"peak_gbps\":1}]}", "devices[0]: the device has no name"},
	{"{\"devices\":[{\"name\":\"x\",\"peak_gbps\":1},7]}", "devices[1]: expected an object"},
	{"{\"devices\":[{\"name\":\"x\",\"peak_gbps\":1},{\"name\":\"x\",\"peak_gbps\":1}]}",
	 "devices[1]: duplicate device \"x\""},
	{"{\"devices\":[]}", "no device with a peak rate"},
	{"{}", "no device with a peak rate"},
};

START_TEST(refuses_the_wrong)
{
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ingest_refuses(&devices_reader, wrong[i].text, wrong[i].message);
}
END_TEST

static const char *const not_devices[] = {
	"[{\"name\":\"x\",\"peak_gbps\":1}]",
	"{\"peak_tflops\":1,\"peak_gbps\":1}",
	"{\"hardware\":{\"peak_tflops_bf16\":190.0}}",
	"{\"devices\":[\"cuda:0\"]}",
	"{\"devices\":2}",
	"{\"a\":{\"b\":{\"peak_gbps\":1}}}",
	"{\"a\":[{\"peak_gbps\":1}]}",
};

START_TEST(detects_nothing_else)
{
	for (size_t i = 0; i < sizeof not_devices / sizeof *not_devices; i++)
		ck_assert_msg(!devices_reader.detect(span_of(not_devices[i])), "%s",
			      not_devices[i]);
}
END_TEST

UNIT_MAIN("devices", reads_all_forms, reads_words, leaves_the_rest_to_the_table, refuses_the_wrong,
	  detects_nothing_else)
