/* The device table, look-up by name and instance type, and the peaks of a run. */
#include "model/run/hardware.h"

#include <ctype.h>
#include <strings.h>

#include "model/run/run.h"
#include "base/base.h"

#define U NAN
#define DEVICE_SCOPE_DEVICE false
#define DEVICE_SCOPE_CORE true

static const struct hardware table[] = {
#define DEVICE(name, title, aliases, scope, gbps, mhz, confidence, source, fp64, fp64t, fp32,      \
	       tf32, bf16, fp16, fp8, mxfp8, int8, fp4)                                            \
	{name,                                                                                     \
	 title,                                                                                    \
	 aliases,                                                                                  \
	 DEVICE_SCOPE_##scope,                                                                     \
	 {fp64 * 1e12, fp64t * 1e12, fp32 * 1e12, tf32 * 1e12, bf16 * 1e12, fp16 * 1e12,           \
	  fp8 * 1e12, mxfp8 * 1e12, int8 * 1e12, fp4 * 1e12},                                      \
	 gbps * 1e9,                                                                               \
	 mhz * 1e6,                                                                                \
	 source,                                                                                   \
	 "built-in table: " source,                                                                \
	 CONFIDENCE_##confidence},
#include "model/run/hardware.def"
#undef DEVICE
};

enum { canonical_size = 96 };

static const struct {
	const char *spelling;
	enum dtype dtype;
} spellings[] = {
	/* The first spelling of each dtype is its name. */
	{"fp64", DTYPE_FP64},
	{"fp64-tensor", DTYPE_FP64_TENSOR},
	{"fp32", DTYPE_FP32},
	{"tf32", DTYPE_TF32},
	{"bf16", DTYPE_BF16},
	{"fp16", DTYPE_FP16},
	{"fp8", DTYPE_FP8},
	{"mxfp8", DTYPE_MXFP8},
	{"int8", DTYPE_INT8},
	{"fp4", DTYPE_FP4},
	{"float64", DTYPE_FP64},
	{"double", DTYPE_FP64},
	{"f64", DTYPE_FP64},
	{"float32", DTYPE_FP32},
	{"float", DTYPE_FP32},
	{"f32", DTYPE_FP32},
	{"tfloat32", DTYPE_TF32},
	{"bfloat16", DTYPE_BF16},
	{"float16", DTYPE_FP16},
	{"half", DTYPE_FP16},
	{"f16", DTYPE_FP16},
	{"float8", DTYPE_FP8},
	{"fp8e4", DTYPE_FP8},
	{"fp8e5", DTYPE_FP8},
	{"fp8_e4m3", DTYPE_FP8},
	{"fp8_e5m2", DTYPE_FP8},
	{"float8_e4m3", DTYPE_FP8},
	{"float8_e4m3fn", DTYPE_FP8},
	{"float8_e5m2", DTYPE_FP8},
	{"mxfp4", DTYPE_FP4},
	{"float8_e4m3fn_x4", DTYPE_MXFP8},
	{"uint8", DTYPE_INT8},
	{"i8", DTYPE_INT8},
};

const char *hardware_confidence_name(enum confidence confidence)
{
	static const char *const names[] = {"low", "medium", "high"};
	return names[confidence];
}

const char *dtype_name(enum dtype dtype)
{
	return dtype < DTYPE_LIMIT ? spellings[dtype].spelling : NULL;
}

static enum dtype dtype_of(struct span text)
{
	if (span_starts(text, "torch."))
		text = span_from(text, 6);
	if (text.len == 0)
		return DTYPE_LIMIT;
	/* Readers ask for each of millions of instructions; the first letter leaves few. */
	for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
		if ((text.ptr[0] | ' ') == spellings[i].spelling[0] &&
		    text.len == strlen(spellings[i].spelling) &&
		    strncasecmp(text.ptr, spellings[i].spelling, text.len) == 0)
			return spellings[i].dtype;
	return DTYPE_LIMIT;
}

const char *dtype_normalise(struct span text)
{
	return dtype_name(dtype_of(text));
}

enum dtype dtype_find(const char *name)
{
	return dtype_of(span_of(name));
}

const struct hardware *hardware_table(size_t *count)
{
	*count = sizeof table / sizeof *table;
	return table;
}

/* Drivers write "NVIDIA A100-SXM4-80GB" or "Tesla T4", tables "a100-sxm4-80gb" and "t4". Removes
 * maker and family, lowers the case, and puts one hyphen between words. A longer text than any
 * device name becomes "": truncating it could drop the words that distinguish two cards. */
static void canonical_name(struct span name, char out[canonical_size])
{
	static const char *const makers[] = {"nvidia",  "amd",      "aws",    "tesla",
					     "geforce", "instinct", "radeon", "graphics"};
	size_t len = 0;
	out[0] = '\0';
	while (name.len) {
		size_t word = 0;
		while (word < name.len && isalnum((unsigned char)name.ptr[word]))
			word++;
		bool is_maker = false;
		for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
			is_maker |= word == strlen(makers[i]) &&
				    strncasecmp(name.ptr, makers[i], word) == 0;
		if (word && !is_maker && len + word + 2 >= canonical_size) {
			out[0] = '\0';
			return;
		}
		if (word && !is_maker) {
			if (len)
				out[len++] = '-';
			for (size_t i = 0; i < word; i++)
				out[len++] = (char)tolower((unsigned char)name.ptr[i]);
			out[len] = '\0';
		}
		size_t step = word < name.len ? word + 1 : word;
		name = span_from(name, step);
	}
}

static bool is_spelled(struct span a, const char *b)
{
	return a.len == strlen(b) && strncasecmp(a.ptr, b, a.len) == 0;
}

static bool same_name(struct span a, const char *b)
{
	char x[canonical_size], y[canonical_size];
	if (is_spelled(a, b))
		return true;
	canonical_name(a, x);
	canonical_name(span_of(b), y);
	return x[0] && strcmp(x, y) == 0;
}

static bool has_alias(const struct hardware *hardware, struct span name)
{
	struct span rest = span_of(hardware->aliases);
	while (rest.len) {
		struct span alias = span_cut(&rest, ' ');
		char text[canonical_size];
		snprintf(text, sizeof text, "%.*s", (int)alias.len, alias.ptr);
		if (same_name(name, text))
			return true;
	}
	return false;
}

static const struct hardware *find_in(const struct hardware *items, size_t count, struct span name)
{
	/* Most names are spelled as in the table, and every run is looked up once. */
	for (size_t i = 0; i < count; i++)
		if (is_spelled(name, items[i].name))
			return &items[i];
	for (size_t i = 0; i < count; i++)
		if (same_name(name, items[i].name) || has_alias(&items[i], name))
			return &items[i];
	return NULL;
}

/* "trn2.3xlarge" is of family "trn2", "trn3pds98.48xlarge" of "trn3pds98". */
static struct span family_of(struct span name)
{
	const char *dot = memchr(name.ptr, '.', name.len);
	if (dot)
		name.len = (size_t)(dot - name.ptr);
	return name;
}

const struct hardware *hardware_find(const struct hardware_list *user, const char *name)
{
	struct span whole = span_of(name);
	struct span family = family_of(whole);
	/* Only this family has a number in its name; other generations are never guessed. */
	struct span stem = {family.ptr, span_starts(family, "trn3pds") ? strlen("trn3pds") : 0};
	const struct span tries[] = {whole, family, stem};
	for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
		if (tries[i].len == 0)
			continue;
		const struct hardware *hit =
			user ? find_in(user->items, user->count, tries[i]) : NULL;
		if (!hit)
			hit = find_in(table, sizeof table / sizeof *table, tries[i]);
		if (hit)
			return hit;
	}
	return NULL;
}

int hardware_unknown(struct error *err, const char *name)
{
	struct strbuf known = {0};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		strbuf_addf(&known, "%s%s", i ? ", " : "", table[i].name);
	error_set(err, ERR_UNKNOWN_THING,
		  "unknown device \"%.80s\"; known devices: %s. Define its peaks in a devices.json "
		  "next to the profile, or in .rooflog/config: [device \"%.80s\"] with bf16 = <n> "
		  "TFLOP/s and bandwidth = <n> GB/s (per-core = true for a Neuron core)",
		  name, known.buf, name);
	strbuf_free(&known);
	return -1;
}

/* Neuron's ratios divide by the BF16 rate whatever the dtype; for other devices the run's dtype
 * counts. */
static enum dtype peak_dtype(const struct run *run, const struct hardware *hardware)
{
	if (hardware->per_core)
		return DTYPE_BF16;
	return run->dtype ? dtype_find(run->dtype) : DTYPE_LIMIT;
}

static const struct hardware *user_device(const struct run *run, const struct hardware_list *user)
{
	return user && run->device ? find_in(user->items, user->count, span_of(run->device)) : NULL;
}

static const char *source_of(const struct hardware *hardware)
{
	return hardware->stated ? hardware->stated : hardware->source;
}

static bool set_flops(struct peaks *peaks, const struct run *run, const struct hardware *hardware)
{
	if (!hardware)
		return false;
	enum dtype dtype = peak_dtype(run, hardware);
	if (dtype == DTYPE_LIMIT || isnan(hardware->peak_flops[dtype]))
		return false;
	peaks->core_flops = hardware->peak_flops[dtype];
	peaks->dtype = dtype_name(dtype);
	peaks->flops_source = source_of(hardware);
	peaks->clock = hardware->clock;
	peaks->confidence = hardware->confidence;
	return true;
}

static bool set_bandwidth(struct peaks *peaks, const struct hardware *hardware)
{
	if (!hardware || isnan(hardware->bandwidth))
		return false;
	peaks->bandwidth = hardware->bandwidth;
	peaks->bandwidth_source = source_of(hardware);
	return true;
}

/* --- what no kernel exceeds --- */

/* The fastest dtype that kernels on operands of this dtype compute with. */
static enum dtype fastest_for(enum dtype dtype)
{
	return dtype == DTYPE_FP64 ? DTYPE_FP64_TENSOR : dtype == DTYPE_FP32 ? DTYPE_TF32 : dtype;
}

/* Neuron's peak is that of BF16 whatever the dtype, but FP8 is faster. */
static enum dtype fastest_of_core(const struct hardware *hardware, const struct run *run)
{
	enum dtype own = run->dtype ? dtype_find(run->dtype) : DTYPE_LIMIT, most = DTYPE_BF16;
	for (enum dtype dtype = 0; dtype < DTYPE_LIMIT; dtype++)
		if ((own == DTYPE_LIMIT || dtype == own) &&
		    hardware->peak_flops[dtype] > hardware->peak_flops[most])
			most = dtype;
	return most;
}

static void set_most_flops(struct peaks *peaks, const struct run *run,
			   const struct hardware *hardware)
{
	double clock = run->given[METRIC_SM_CLOCK].number, factor = 1;
	enum dtype dtype = hardware ? peak_dtype(run, hardware) : DTYPE_LIMIT;
	if (dtype == DTYPE_LIMIT || peaks->confidence == CONFIDENCE_LOW)
		return;
	enum dtype most = hardware->per_core ? fastest_of_core(hardware, run) : fastest_for(dtype);
	/* The table has the rate with FP32 accumulation, which is half as fast there. */
	if ((most == DTYPE_FP16 || most == DTYPE_FP8) &&
	    span_starts(span_of(hardware->title), "NVIDIA GeForce"))
		factor = 2;
	peaks->clock_measured =
		strcmp(peaks->flops_source ? peaks->flops_source : "", "profile") == 0 ||
		(clock > 0 && peaks->clock > 0);
	if (clock > peaks->clock)
		factor *= clock / peaks->clock;
	peaks->most_dtype = dtype_name(most);
	peaks->most_flops =
		peaks->flops * factor * hardware->peak_flops[most] / hardware->peak_flops[dtype];
}

/* Whether a cache lies between the memory and where the profiler counts bytes: from MI300 on, AMD's
 * counters are those of the L2 cache's misses, a part of which the Infinity Cache serves. */
static bool has_memory_side_cache(const struct hardware *hardware)
{
	return hardware && span_starts(span_of(hardware->name), "mi3");
}

static void set_most(struct peaks *peaks, const struct run *run, const struct hardware *own,
		     const struct hardware *built_in)
{
	const struct hardware *device = own ? own : built_in;
	set_most_flops(peaks, run, device);
	if (device && !device->per_core && device->confidence != CONFIDENCE_LOW &&
	    !has_memory_side_cache(own) && !has_memory_side_cache(built_in))
		peaks->most_bandwidth = peaks->bandwidth;
}

struct peaks hardware_peaks_of(const struct run *run, const struct hardware_list *user)
{
	struct peaks peaks = {.core_flops = NAN,
			      .flops = NAN,
			      .bandwidth = NAN,
			      .clock = NAN,
			      .confidence = CONFIDENCE_HIGH,
			      .most_flops = NAN,
			      .most_bandwidth = NAN};
	const struct hardware *own = user_device(run, user);
	const struct hardware *built_in =
		run->device ? find_in(table, sizeof table / sizeof *table, span_of(run->device))
			    : NULL;
	double given_flops = run->given[METRIC_PEAK_CORE_FLOPS].number;
	double given_bandwidth = run->given[METRIC_PEAK_BANDWIDTH].number;

	if (!set_flops(&peaks, run, own)) {
		if (!isnan(given_flops)) {
			peaks.core_flops = given_flops;
			peaks.dtype = "bf16";
			peaks.flops_source = "profile";
		} else {
			set_flops(&peaks, run, built_in);
		}
	}
	if (!set_bandwidth(&peaks, own)) {
		if (!isnan(given_bandwidth)) {
			peaks.bandwidth = given_bandwidth;
			peaks.bandwidth_source = "profile";
		} else {
			set_bandwidth(&peaks, built_in);
		}
	}
	/* Only Neuron profiles state the peak of one core. */
	const struct hardware *device = own ? own : built_in;
	bool per_core = !isnan(given_flops) || (device && device->per_core);
	if (!per_core)
		peaks.flops = peaks.core_flops;
	else if (run->cores > 0)
		peaks.flops = peaks.core_flops * run->cores;
	set_most(&peaks, run, own, built_in);
	return peaks;
}
