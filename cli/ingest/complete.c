/*
 * Completes runs with what their files leave open. Options override params.json, which overrides
 * what the file implies. A device that contradicts the profile's own is an error.
 */
#include "cli/ingest/ingest.h"

#include <ctype.h>
#include <strings.h>

#include "base/base.h"
#include "base/system/system.h"
#include "cli/gate/gate.h"
#include "ingest/companions/contract_path.h"
#include "ingest/ntff/ntff.h"
#include "model/roofline/roofline.h"
#include "model/run/runs.h"

/* Whether `ancestor` is `directory` or an ancestor of it; both are results of
 * directory_walk_open(). */
static bool is_above(const char *ancestor, const char *directory)
{
	size_t len = strlen(ancestor);
	if (strcmp(ancestor, ".") == 0)
		return directory[0] != '/' && strcmp(directory, "..") != 0 &&
		       strncmp(directory, "../", 3) != 0;
	return strncmp(directory, ancestor, len) == 0 &&
	       (directory[len] == '\0' || directory[len] == '/' || ancestor[len - 1] == '/');
}

/* The params.json in the run's directory, or in its nearest ancestor. */
static const struct attached_params *params_for(const struct ingest *ingest, const char *directory)
{
	const struct nearby *nearby = &ingest->params_nearby;
	for (const char *at = directory; at; at = nearby_above(ingest->arena, at)) {
		struct nearby_range range = nearby_in(nearby, at);
		if (range.first < range.end && is_above(at, directory))
			return &ingest->params[nearby->items[range.first].index];
	}
	return NULL;
}

/* Whether a parameter has this name, alone or as the last part of a path: "kernel",
 * "config.kernel". */
static bool is_called(const char *param, const char *name)
{
	const char *dot = strrchr(param, '.');
	return strcmp(dot ? dot + 1 : param, name) == 0;
}

/* Values in params.json or --params that are not plain parameters. */
struct overrides {
	const char *kernel, *variant, *dtype, *device, *instance_type;
};

static void set_param(struct cli *cli, struct run *run, struct overrides *overrides,
		      const char *name, const char *value)
{
	if (is_called(name, "kernel"))
		overrides->kernel = value;
	else if (is_called(name, "variant") || is_called(name, "version"))
		overrides->variant = value;
	else if (is_called(name, "dtype"))
		overrides->dtype = value;
	else if (is_called(name, "device"))
		overrides->device = value;
	else if (is_called(name, "instance_type"))
		overrides->instance_type = value;
	else
		run_set_param(&cli->arena, run, name, value);
}

/* Parses "b=1,s=512" from the command line. */
static int parse_params(struct cli *cli, const char *text, struct run *run,
			struct overrides *overrides, struct error *err)
{
	struct span rest = span_of(text), name, value;
	int more;
	while ((more = option_pair("params", &rest, &name, &value, err)) > 0)
		set_param(cli, run, overrides, arena_strndup(&cli->arena, name.ptr, name.len),
			  arena_strndup(&cli->arena, value.ptr, value.len));
	return more;
}

static int missing(struct error *err, const struct incoming *one, const char *what,
		   const char *option)
{
	return error_set(err, ERR_USAGE,
			 "%s does not say its %s: give --%s, or \"%s\" in a params.json beside it",
			 one->path, what, option, option);
}

static bool needs(const struct ingest *ingest, const struct incoming *one, enum reader_needs what)
{
	return !ingest->options->may_be_unknown && one->reader->needs & what;
}

/* The data type in the kernel's name, "gemm_bf16_128"; NULL if there is none, or more than one, or
 * the name is that of a conversion. Words without a digit ("double") mean other things, too. */
static const char *dtype_in_name(const char *kernel)
{
	static const char *const conversions[] = {"to", "cast", "convert", "quantize",
						  "dequantize"};
	const char *found = NULL;
	for (const char *at = kernel; *at;) {
		struct span word = {at, 0};
		while (isalnum((unsigned char)at[word.len]))
			word.len++;
		at += word.len ? word.len : 1;
		if (span_among(word, conversions, sizeof conversions / sizeof *conversions))
			return NULL;
		bool has_digit = false;
		for (size_t i = 0; i < word.len; i++)
			has_digit |= isdigit((unsigned char)word.ptr[i]) != 0;
		const char *name = has_digit ? dtype_normalise(word) : NULL;
		if (name && found && strcmp(name, found) != 0)
			return NULL;
		found = name ? name : found;
	}
	return found;
}

/* What the file or the name says where no dtype was given. Other formats may have runs without a
 * dtype, whose series go on so. */
static void infer_dtype(struct cli *cli, const struct incoming *one)
{
	struct run *run = one->run;
	bool by_name = !run->dtype && one->reader->needs & NEEDS_DTYPE;
	if (by_name)
		run->dtype = dtype_in_name(run->kernel);
	if (run->dtype && (by_name || one->reader == &neuron_profile_json_reader))
		run_add_note(&cli->arena, run, "rooflog",
			     arena_printf(&cli->arena,
					  "dtype %s, inferred from %s; --dtype sets another",
					  run->dtype,
					  by_name ? "the kernel's name"
						  : "the operands of its matmuls"));
}

/* A dtype that was given counts, also against what the file says. */
static void check_dtype(struct cli *cli, const struct incoming *one, const char *given,
			const char *own)
{
	enum dtype said = own ? dtype_find(own) : DTYPE_LIMIT, now = dtype_find(given);
	bool by_tensor_cores = said == DTYPE_FP32 && now == DTYPE_TF32;
	if (said == DTYPE_LIMIT || said == now || by_tensor_cores)
		return;
	run_add_note(&cli->arena, one->run, "rooflog",
		     arena_printf(&cli->arena,
				  "the dtype was given as %s, but %s say%s %s: peaks and series "
				  "are those of %s",
				  given,
				  one->reader == &neuron_profile_json_reader
					  ? "the operands of the matmuls"
					  : "the file",
				  one->reader == &neuron_profile_json_reader ? "" : "s",
				  dtype_name(said), given));
}

static int complete_dtype(const struct ingest *ingest, const struct incoming *one,
			  const char *dtype, struct error *err)
{
	struct cli *cli = ingest->cli;
	const char *own = one->run->dtype;
	if (!dtype)
		infer_dtype(cli, one);
	if (!dtype && !one->run->dtype)
		return needs(ingest, one, NEEDS_DTYPE) ? missing(err, one, "dtype", "dtype") : 0;
	const char *chosen = dtype ? dtype : one->run->dtype;
	one->run->dtype = dtype_normalise(span_of(chosen));
	if (!one->run->dtype)
		return error_set(
			err, ERR_USAGE,
			"%s: unknown dtype \"%.40s\"; known are fp64, fp32, tf32, bf16, fp16, "
			"fp8, mxfp8, int8, fp4 and their usual spellings",
			one->path, chosen);
	check_dtype(cli, one, one->run->dtype, own);
	return 0;
}

static int complete_device(const struct ingest *ingest, const struct incoming *one,
			   const char *device, struct error *err)
{
	struct cli *cli = ingest->cli;
	struct run *run = one->run;
	const struct hardware *own =
		run->device ? hardware_find(&cli->settings.devices, run->device) : NULL;
	if (!device && !run->device)
		return needs(ingest, one, NEEDS_DEVICE) ? missing(err, one, "device", "device") : 0;
	if (device) {
		const struct hardware *named = hardware_find(&cli->settings.devices, device);
		if (!named) {
			hardware_unknown(err, device);
			return error_prefix(err, "%s", one->path);
		}
		if (own && strcmp(own->name, named->name) != 0)
			return error_set(
				err, ERR_USAGE,
				"%s was measured on %s (%s), not on %s: leave the device out",
				one->path, own->name,
				run->instance_type ? run->instance_type : "as it says",
				named->name);
		run->device = named->name;
		return 0;
	}
	bool has_peaks = !isnan(run->given[METRIC_PEAK_CORE_FLOPS].number) &&
			 !isnan(run->given[METRIC_PEAK_BANDWIDTH].number);
	if (!own && !has_peaks && needs(ingest, one, NEEDS_PEAKS)) {
		hardware_unknown(err, run->device);
		return error_prefix(err, "%s", one->path);
	}
	if (!own && !has_peaks)
		run_add_note(
			&cli->arena, run, "rooflog",
			arena_printf(&cli->arena,
				     "no peaks are known of \"%.80s\", so neither are MFU, MBU "
				     "and the roofline; a devices.json gives them",
				     run->device));
	if (own)
		run->device = own->name;
	return 0;
}

/* Whether device time and work are known. They give a rate, whose ratio to the peak needs the
 * number of cores. */
static bool has_rate(const struct run *run)
{
	static const enum metric works[] = {METRIC_HARDWARE_FLOPS, METRIC_MODEL_FLOPS,
					    METRIC_ALGORITHMIC_FLOPS};
	bool known = false;
	for (size_t i = 0; i < sizeof works / sizeof *works; i++)
		known |= run_number(run, works[i]) > 0;
	return known && run_time_metric(run) == METRIC_TOTAL_TIME;
}

static int complete_cores(struct cli *cli, const struct ingest_options *options,
			  struct incoming *one, struct error *err)
{
	struct run *run = one->run;
	double cores;
	if (options->cores) {
		if (!span_number(span_of(options->cores), &cores) || cores < 1 || cores > 64 ||
		    cores != floor(cores))
			return error_set(err, ERR_USAGE, "--cores %s is no count of physical cores",
					 options->cores);
		if (run->cores && run->cores != (int)cores)
			return error_set(err, ERR_USAGE,
					 "%s says %d physical cores, --cores says %s", one->path,
					 run->cores, options->cores);
		run->cores = (int)cores;
	}
	if (runs_derive(cli, run, &one->peaks, &one->hardware, err) < 0)
		return -1;
	bool per_core = one->hardware && one->hardware->per_core;
	if (run->cores || !per_core || !has_rate(run))
		return 0;
	run->cores = run_infer_cores(run, &one->peaks);
	if (run->cores)
		run_add_note(
			&cli->arena, run, "rooflog",
			arena_printf(&cli->arena,
				     "%d physical core%s, inferred from the reported utilisation",
				     run->cores, run->cores == 1 ? "" : "s"));
	else
		run_add_note(
			&cli->arena, run, "rooflog",
			"the number of physical cores is not known, so neither are MFU and ridge; "
			"--cores N gives it");
	return runs_derive(cli, run, &one->peaks, &one->hardware, err);
}

/* Names become part of tables, file names and headings, so control characters are refused. */
static int check_names(const struct incoming *one, struct error *err)
{
	const struct run *run = one->run;
	const char *texts[2 + 2 * 256] = {run->kernel, run->variant};
	size_t count = 2;
	for (size_t i = 0; i < run->param_count && count + 2 <= sizeof texts / sizeof *texts; i++) {
		texts[count++] = run->params[i].name;
		texts[count++] = run->params[i].value;
	}
	for (size_t i = 0; i < count; i++)
		for (const char *c = texts[i]; *c; c++)
			if ((unsigned char)*c < 0x20 || *c == 0x7f)
				return error_set(
					err, ERR_USAGE,
					"%s: a kernel, variant or parameter holds a control "
					"character; names are one line of text",
					one->path);
	return 0;
}

/* Uses the path of a profiling run for what is still unknown. */
static void apply_path(struct cli *cli, const struct incoming *one)
{
	struct run *run = one->run;
	struct contract_path path = contract_path_of(&cli->arena, one->directory);
	if (!path.mode)
		return;
	if (!run->kernel)
		run->kernel = path.kernel;
	run_add_attribute(&cli->arena, run, "profiling_mode", path.mode);
	if (path.timestamp)
		run_add_attribute(&cli->arena, run, "profiled_at", path.timestamp);
	/* Times in event mode include Python's overhead, so they have a tool of their own, whatever
	 * file they are in. So has the report of each mode. */
	if (strcmp(path.mode, "event") == 0)
		run->tool = "event";
	else if (strcmp(run->tool, "report") == 0)
		run->tool = arena_printf(&cli->arena, "%s-report", path.mode);
}

/* If the configuration declares this tool equivalent to another one, the run joins the series of
 * that one and gets its own tool as an attribute. */
static void apply_tool_alias(struct cli *cli, struct run *run)
{
	const char *as = settings_tool_alias(&cli->settings.tools, run->tool);
	if (!as)
		return;
	run_add_attribute(&cli->arena, run, "measured_by", run->tool);
	run->tool = as;
}

/* If a file names several kernels and the user names one for all, the names in the file become
 * stages. */
static int complete_kernel(const struct ingest *ingest, const struct incoming *one,
			   const char *kernel, struct error *err)
{
	struct cli *cli = ingest->cli;
	struct run *run = one->run;
	const char *own = run->kernel;
	if (!kernel || !kernel[0])
		kernel = own;
	if ((!kernel || !kernel[0]) && ingest->options->may_be_unknown)
		kernel = INGEST_UNKNOWN;
	if (!kernel || !kernel[0])
		return missing(err, one, "kernel", "kernel");
	run->kernel = kernel;
	if (own && strcmp(own, kernel) != 0 && one->many_kernels)
		run_set_param(&cli->arena, run, "stage", own);
	else if (own && strcmp(own, kernel) != 0 && findings_library_of(own) &&
		 !run_attribute(run, "kernel_symbol"))
		run_add_attribute(&cli->arena, run, "kernel_symbol", own);
	return 0;
}

/* What is computed here, no file may state. */
static void drop_digest(struct run *run)
{
	size_t remaining = 0;
	for (size_t i = 0; i < run->attribute_count; i++)
		if (strcmp(run->attributes[i].key, RUN_KERNEL_DIGEST) != 0)
			run->attributes[remaining++] = run->attributes[i];
	run->attribute_count = remaining;
}

static int complete(const struct ingest *ingest, struct incoming *one, struct error *err)
{
	struct run *run = one->run;
	drop_digest(run);
	struct overrides overrides = {0};
	const struct attached_params *file = params_for(ingest, one->directory);
	for (size_t i = 0; file && i < file->count; i++)
		set_param(ingest->cli, run, &overrides, file->params[i].name,
			  file->params[i].value);
	if (ingest->options->params &&
	    parse_params(ingest->cli, ingest->options->params, run, &overrides, err) < 0)
		return -1;
	apply_path(ingest->cli, one);
	apply_tool_alias(ingest->cli, run);
	if (complete_kernel(ingest, one,
			    ingest->options->kernel ? ingest->options->kernel : overrides.kernel,
			    err) < 0)
		return -1;
	if (ingest->options->variant || overrides.variant)
		run->variant =
			ingest->options->variant ? ingest->options->variant : overrides.variant;
	/* Nodes of one file are different programs and must not share a series. */
	if (one->several_nodes)
		run_set_param(ingest->arena, run, "node",
			      arena_strndup(ingest->arena, run->node, strnlen(run->node, 14)));
	if (!run->instance_type && overrides.instance_type) {
		run->instance_type = overrides.instance_type;
		if (!overrides.device)
			overrides.device = overrides.instance_type;
	}
	if (check_names(one, err) < 0 ||
	    complete_dtype(ingest, one,
			   ingest->options->dtype ? ingest->options->dtype : overrides.dtype,
			   err) < 0 ||
	    complete_device(ingest, one,
			    ingest->options->device ? ingest->options->device : overrides.device,
			    err) < 0)
		return -1;
	return complete_cores(ingest->cli, ingest->options, one, err);
}

/* Suggests --keep-going if there are many files, because one incomplete file need not stop the
 * others. */
static int fail_among_many(const struct ingest *ingest, struct error *err)
{
	char text[sizeof err->text];
	memcpy(text, err->text, sizeof text);
	if (ingest->files < 3)
		return -1;
	return error_set(err, err->kind, "%.900s; --keep-going skips such files", text);
}

/* Completes the runs from index `first` on; with --keep-going incomplete ones are skipped. */
static int complete_from(struct ingest *ingest, size_t first, struct error *err)
{
	size_t remaining = first;
	for (size_t i = first; i < ingest->run_count; i++) {
		struct incoming *one = &ingest->runs[i];
		if (complete(ingest, one, err) == 0)
			ingest->runs[remaining++] = *one;
		else if (ingest->options->keep_going)
			ingest_skip(ingest, one->path, err->text);
		else
			return fail_among_many(ingest, err);
	}
	ingest->run_count = remaining;
	return 0;
}

/* "a100" is short for one of several cards: reports which one was assumed. */
static void report_device(struct cli *cli, const char *device)
{
	const struct hardware *named =
		device ? hardware_find(&cli->settings.devices, device) : NULL;
	if (named && strcasecmp(named->name, device) != 0 && !strchr(device, '.'))
		cli_note(cli, "--device %s is taken as %s, %s", device, named->name, named->title);
}

/* Records what a native trace lacks, for reports only; it is not a warning of ingest. */
static void note_missing(const struct ingest *ingest)
{
	for (size_t i = 0; i < ingest->run_count; i++) {
		struct incoming *one = &ingest->runs[i];
		const char *missing = one->reader == &ntff_reader
					      ? ntff_run_missing_data(ingest->arena, one->run)
					      : NULL;
		if (missing)
			run_add_note(ingest->arena, one->run, "missing", missing);
	}
}

/* With [alias] and [tool] of its own a change could make its kernels repeats of another one. There
 * is nothing to repeat without a store, and no gate in a submodule: then those of the work tree
 * count. A store of an older program is read once it was written; until then git alone is asked. */
static int load_configuration(const struct ingest *ingest, struct error *err)
{
	struct cli *cli = ingest->cli;
	const struct ingest_options *options = ingest->options;
	const char *path, *branch = options->against ? gate_command_branch(options->against) : NULL;
	char oid[65];
	struct error ignored;
	if (options->trust.work_tree || options->dry_run ||
	    cli_store_path(cli, &path, &ignored) < 0 || !file_exists(path) ||
	    cli_open_repository(cli, &ignored) < 0 || repository_superproject(cli->repository))
		return cli_load_config(cli, err);
	/* The store first: git is not asked about commits that it has. */
	bool opened = cli_open_store(cli, STORE_READ, &ignored) == 0;
	const char *commit = options->commit ? options->commit : "HEAD";
	int rc = repository_resolve(cli->repository, commit, oid, &ignored) < 0
			 ? cli_load_config(cli, err)
			 : gate_command_load_names(cli, oid, branch, err);
	if (opened)
		store_close(cli->store);
	cli->store = NULL;
	return rc;
}

int ingest_complete(struct ingest *ingest, struct error *err)
{
	if (load_configuration(ingest, err) < 0)
		return -1;
	if (ingest->devices_fault)
		return error_set(err, ERR_FORMAT,
				 "%s: together the files describe more than %d devices: leave out "
				 "those that were not measured",
				 ingest->devices_fault, INGEST_DEVICES);
	report_device(ingest->cli, ingest->options->device);
	nearby_init(ingest->arena, &ingest->params_nearby, ingest->params_count);
	for (size_t i = 0; i < ingest->params_count; i++)
		nearby_add(&ingest->params_nearby, ingest->params[i].directory);
	nearby_sort(&ingest->params_nearby);
	ingest_join_facts(ingest);
	if (complete_from(ingest, 0, err) < 0)
		return -1;
	ingest_merge(ingest);
	size_t complete_count = ingest->run_count;
	ingest_place_figures(ingest);
	if (complete_from(ingest, complete_count, err) < 0)
		return -1;
	if (ingest_join(ingest, err) < 0)
		return -1;
	note_missing(ingest);
	return ingest_check_repeats(ingest, err);
}
