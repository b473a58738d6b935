/*
 * Completes runs with what their files leave open. A params.json next to a file overrides what the
 * file says; --set and --from-path only add to both, but they name the kernel and correct a dtype
 * that was inferred. A device in a params.json that contradicts the profile's own is an error.
 */
#include "cli/ingest/ingest.h"

#include <ctype.h>
#include <strings.h>

#include "base/base.h"
#include "base/system/system.h"
#include "cli/gate/gate.h"
#include "cli/ingest/facts/facts.h"
#include "ingest/companions/contract_path.h"
#include "ingest/ntff/ntff.h"
#include "model/pattern/scenario.h"
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

/* --- what is missing --- */

static void lack(const struct ingest *ingest, struct incoming *one, enum reader_needs what,
		 enum ingest_lack lack)
{
	if (ingest->options->may_be_unknown || one->reader->needs & what)
		one->lacks |= lack;
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
	if (run->dtype && (by_name || one->reader->needs & DTYPE_OF_OPERANDS))
		run_add_note(
			&cli->arena, run, "rooflog",
			arena_printf(&cli->arena,
				     "dtype %s, inferred from %s; override it with --set dtype=...",
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
	bool by_operands = one->reader->needs & DTYPE_OF_OPERANDS;
	if (said == DTYPE_LIMIT || said == now || by_tensor_cores)
		return;
	run_add_note(&cli->arena, one->run, "rooflog",
		     arena_printf(&cli->arena,
				  "dtype given as %s, but %s say%s %s: peaks and series use %s",
				  given, by_operands ? "the operands of the matmuls" : "the file",
				  by_operands ? "" : "s", dtype_name(said), given));
}

/* The usual name of a dtype; other words stay as they are. */
static const char *dtype_known(const char *dtype)
{
	const char *name = dtype_normalise(span_of(dtype));
	return name ? name : dtype;
}

/* A file that says fp32 leaves open whether the tensor cores compute in TF32, and what a trace's
 * operands are was not said by anybody: what is stated corrects both. */
static bool may_correct_dtype(const struct incoming *one, const char *stated)
{
	const char *own = one->run->dtype ? dtype_normalise(span_of(one->run->dtype)) : NULL;
	return !own || one->reader->needs & DTYPE_OF_OPERANDS || one->reader == &ntff_reader ||
	       (strcmp(own, "fp32") == 0 && strcmp(stated, "tf32") == 0) ||
	       strcmp(own, stated) == 0;
}

static int complete_dtype(struct ingest *ingest, struct incoming *one, const struct facts *beside,
			  const char *stated, struct error *err)
{
	struct cli *cli = ingest->cli;
	const char *own = one->run->dtype, *dtype = beside->dtype;
	stated = stated ? dtype_normalise(span_of(stated)) : NULL;
	if (!dtype && stated && may_correct_dtype(one, stated))
		dtype = stated;
	else if (stated)
		ingest_choose(ingest, one, "dtype", dtype_known(dtype ? dtype : own), stated);
	if (!dtype)
		infer_dtype(cli, one);
	if (!dtype && !one->run->dtype) {
		lack(ingest, one, NEEDS_DTYPE, LACKS_DTYPE);
		return 0;
	}
	const char *chosen = dtype ? dtype : one->run->dtype;
	one->run->dtype = dtype_normalise(span_of(chosen));
	if (!one->run->dtype)
		return error_set(err, ERR_USAGE,
				 "%s: unknown dtype \"%.40s\"; supported: fp64, fp32, tf32, bf16, "
				 "fp16, fp8, mxfp8, int8, fp4 and their common aliases",
				 one->path, chosen);
	check_dtype(cli, one, one->run->dtype, own);
	return 0;
}

/* The device that is stated, if neither the file nor its params.json says one. */
static const char *stated_device(struct ingest *ingest, const struct incoming *one,
				 const char *device, const char *stated)
{
	const struct hardware_list *user = &ingest->cli->settings.devices;
	const char *said = device ? device : one->run->device;
	if (!stated || !said)
		return device ? device : stated;
	const struct hardware *a = hardware_find(user, said), *b = hardware_find(user, stated);
	if (!a || !b || strcmp(a->name, b->name) != 0)
		ingest_choose(ingest, one, "device", a ? a->name : said, b ? b->name : stated);
	return device;
}

static int complete_device(struct ingest *ingest, struct incoming *one, const char *device,
			   struct error *err)
{
	struct cli *cli = ingest->cli;
	struct run *run = one->run;
	const struct hardware *own =
		run->device ? hardware_find(&cli->settings.devices, run->device) : NULL;
	if (!device && !run->device) {
		lack(ingest, one, NEEDS_DEVICE, LACKS_DEVICE);
		return 0;
	}
	if (device) {
		const struct hardware *named = hardware_find(&cli->settings.devices, device);
		if (!named) {
			hardware_unknown(err, device);
			return error_prefix(err, "%s", one->path);
		}
		if (own && strcmp(own->name, named->name) != 0)
			return error_set(
				err, ERR_USAGE,
				"%s was measured on %s (%s), not on %s: remove device from --set",
				one->path, own->name,
				run->instance_type ? run->instance_type : "according to the file",
				named->name);
		run->device = named->name;
		return 0;
	}
	bool has_peaks = !isnan(run->given[METRIC_PEAK_CORE_FLOPS].number) &&
			 !isnan(run->given[METRIC_PEAK_BANDWIDTH].number);
	if (!own && !has_peaks && !ingest->options->may_be_unknown &&
	    one->reader->needs & NEEDS_PEAKS) {
		hardware_unknown(err, run->device);
		return error_prefix(err, "%s", one->path);
	}
	if (!own && !has_peaks)
		run_add_note(&cli->arena, run, "rooflog",
			     arena_printf(&cli->arena,
					  "no peak rates for \"%.80s\": MFU, MBU and roofline are "
					  "unavailable; define them in a devices.json",
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

static void set_cores(struct ingest *ingest, const struct incoming *one, const char *stated)
{
	struct run *run = one->run;
	double cores;
	if (!stated || !span_number(span_of(stated), &cores))
		return;
	if (!run->cores)
		run->cores = (int)cores;
	else if (run->cores != (int)cores)
		ingest_contradict(ingest, one, "cores", stated,
				  arena_printf(ingest->arena, "%d", run->cores));
}

static int complete_cores(struct ingest *ingest, struct incoming *one, const char *stated,
			  struct error *err)
{
	struct cli *cli = ingest->cli;
	struct run *run = one->run;
	set_cores(ingest, one, stated);
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
				     "%d physical core%s, inferred from the reported utilization",
				     run->cores, run->cores == 1 ? "" : "s"));
	else
		run_add_note(&cli->arena, run, "rooflog",
			     "number of physical cores unknown: MFU and ridge point are "
			     "unavailable; give it with --set cores=N");
	return runs_derive(cli, run, &one->peaks, &one->hardware, err);
}

/* Names become part of tables, file names and headings, so control characters are refused. */
static int check_names(const struct incoming *one, struct error *err)
{
	const struct run *run = one->run;
	const char *texts[3 + 2 * 256] = {run->kernel, run->variant, run->tool};
	size_t count = 3;
	for (size_t i = 0; i < run->param_count && count + 2 <= sizeof texts / sizeof *texts; i++) {
		texts[count++] = run->params[i].name;
		texts[count++] = run->params[i].value;
	}
	for (size_t i = 0; i < count; i++)
		for (const char *c = texts[i]; *c; c++)
			if ((unsigned char)*c < 0x20 || *c == 0x7f)
				return error_set(
					err, ERR_USAGE,
					"%s: a kernel, variant, tool or parameter contains a "
					"control character; names must be one line of text",
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

/* The parameter that a file or --set states itself stays: training has epochs, too. */
static void apply_epoch(struct ingest *ingest, struct incoming *one)
{
	const struct settings *settings = &ingest->cli->settings;
	const struct run *named = renaming_of(ingest->arena, &settings->aliases, one->run);
	const char *epoch = epoch_of(&settings->epochs, named ? named : one->run);
	const char *said = run_param(one->run, epoch_param);
	if (!epoch)
		return;
	one->in_epoch = !said;
	run_set_param(ingest->arena, one->run, epoch_param,
		      ingest_choose(ingest, one, epoch_param, said, epoch));
}

/* If a file names several kernels and the user names one for all, the names in the file become
 * stages. */
static void complete_kernel(const struct ingest *ingest, struct incoming *one, const char *kernel)
{
	struct cli *cli = ingest->cli;
	struct run *run = one->run;
	const char *own = run->kernel;
	if (!kernel || !kernel[0])
		kernel = own;
	if (!kernel || !kernel[0]) {
		one->lacks |= LACKS_KERNEL;
		kernel = INGEST_UNKNOWN;
	}
	run->kernel = kernel;
	if (own && strcmp(own, kernel) != 0 && one->many_kernels)
		run_set_param(&cli->arena, run, "stage", own);
	else if (own && strcmp(own, kernel) != 0 && findings_library_of(own) &&
		 !run_attribute(run, "kernel_symbol"))
		run_add_attribute(&cli->arena, run, "kernel_symbol", own);
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

/* A plain table does not say who measured it. */
static void complete_tool(struct ingest *ingest, const struct incoming *one, const char *stated)
{
	struct run *run = one->run;
	bool open = one->reader == &table_reader;
	if (stated)
		run->tool = open ? stated : ingest_choose(ingest, one, "tool", run->tool, stated);
}

/* Whether its file gave no other run. */
static bool is_alone(const struct ingest *ingest, const struct incoming *one)
{
	size_t at = (size_t)(one - ingest->runs);
	return (at == 0 || strcmp(one[-1].path, one->path) != 0) &&
	       (at + 1 == ingest->run_count || strcmp(one[1].path, one->path) != 0);
}

/* The logs next to results of a Neuron device. */
static int read_logs(const struct ingest *ingest, struct incoming *one, struct error *err)
{
	if (!one->hardware || !one->hardware->per_core || strcmp(one->path, "-") == 0)
		return 0;
	/* A profile with engines or a kernel's hash was captured on the device. */
	if (!one->run->engine_count && !one->run->kernel_hash &&
	    nearby_check_cpu_log(ingest->arena, one->path, one->hardware->name, err) < 0)
		return -1;
	struct compilations count = {0};
	if (is_alone(ingest, one))
		count = nearby_read_compile_log(ingest->arena, one->path, ingest->run_count == 1);
	if (count.compiled + count.cached > 0) {
		run_set(one->run, METRIC_COMPILE_COUNT, (double)count.compiled,
			PROVENANCE_MEASURED);
		run_set(one->run, METRIC_CACHED_NEFF_COUNT, (double)count.cached,
			PROVENANCE_MEASURED);
	}
	return 0;
}

static int complete(struct ingest *ingest, struct incoming *one, struct error *err)
{
	struct run *run = one->run;
	struct facts beside = {0}, stated;
	const struct attached_params *file = params_for(ingest, one->directory);
	drop_digest(run);
	if (file)
		facts_add_params(ingest->arena, &beside, file->params, file->count);
	if (ingest_stated_of(ingest, one, &stated, err) < 0)
		return -1;
	ingest_set_params(ingest, one, &beside, &stated);
	complete_tool(ingest, one, stated.tool);
	apply_path(ingest->cli, one);
	apply_tool_alias(ingest->cli, run);
	complete_kernel(ingest, one,
			ingest_choose(ingest, one, "kernel", beside.kernel, stated.kernel));
	const char *variant = beside.variant ? beside.variant : run->variant;
	variant = ingest_choose(ingest, one, "variant", variant, stated.variant);
	run->variant = variant ? variant : "";
	/* Nodes of one file are different programs and must not share a series. */
	if (one->several_nodes)
		run_set_param(ingest->arena, run, "node",
			      arena_strndup(ingest->arena, run->node, strnlen(run->node, 14)));
	const char *instance = beside.instance_type ? beside.instance_type : stated.instance_type;
	if (!run->instance_type && instance) {
		run->instance_type = instance;
		if (!beside.device)
			beside.device = instance;
	}
	if (check_names(one, err) < 0 ||
	    complete_dtype(ingest, one, &beside, stated.dtype, err) < 0 ||
	    complete_device(ingest, one, stated_device(ingest, one, beside.device, stated.device),
			    err) < 0 ||
	    complete_cores(ingest, one, stated.cores, err) < 0)
		return -1;
	apply_epoch(ingest, one);
	return read_logs(ingest, one, err);
}

/* Suggests --keep-going if there are many files, because one incomplete file need not stop the
 * others. */
static int fail_among_many(const struct ingest *ingest, struct error *err)
{
	char text[sizeof err->text];
	memcpy(text, err->text, sizeof text);
	if (ingest->files < 3)
		return -1;
	return error_set(err, err->kind, "%.900s; use --keep-going to skip such files", text);
}

/* Completes the runs from index `first` on; with --keep-going incomplete ones are skipped. */
static int complete_from(struct ingest *ingest, size_t first, struct error *err)
{
	size_t remaining = first;
	for (size_t i = first; i < ingest->run_count; i++) {
		struct incoming *one = &ingest->runs[i];
		if (complete(ingest, one, err) == 0 && !ingest_skip_lacking(ingest, one))
			ingest->runs[remaining++] = *one;
		else if (ingest->options->keep_going)
			ingest_skip(ingest, one->path, err->text);
		else
			return fail_among_many(ingest, err);
	}
	ingest->run_count = remaining;
	return 0;
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
	    cli_store_path(cli, &path, &ignored) < 0 || !cli_store_exists(path) ||
	    cli_open_repository(cli, &ignored) < 0 || repository_superproject(cli->repository))
		return cli_load_config(cli, err);
	/* The store first: git is not asked about commits that it has. */
	bool opened = cli_open_store(cli, STORE_READ, &ignored) == 0;
	if (!opened && cli_store_is_remote(path))
		return cli_load_config(cli, err);
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
				 "%s: the files together define more than %d devices: remove those "
				 "that were not measured",
				 ingest->devices_fault, INGEST_DEVICES);
	if (facts_parse(ingest->arena, &ingest->options->reading.set, &ingest->stated, err) < 0 ||
	    (ingest->stated.device &&
	     facts_check_device(&ingest->cli->settings.devices, ingest->stated.device, err) < 0))
		return -1;
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
	ingest_warn_of_contradictions(ingest);
	if (ingest_ask(ingest, err) < 0)
		return -1;
	note_missing(ingest);
	return ingest_check_repeats(ingest, err);
}
