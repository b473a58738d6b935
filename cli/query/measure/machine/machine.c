/* Settings of processors and control group, load, and the warnings; the GPU is in gpu.c. */
#include "cli/query/measure/machine/machine.h"

#include <unistd.h>

#include "base/system/system.h"
#include "cli/query/measure/machine/gpu.h"

enum { FILE_LIMIT = 4096 };

/* Above this load of each processor, something else is running. */
static const double idle_load = 0.5;

struct machine {
	struct cli *cli;
	struct process_hold hold;
	struct gpu *gpu; /* NULL: none was found */
	long processors;
	double load_before, load_after;
	const char *governor, *boost, *limit; /* NULL unknown */
	double throttled_before; /* periods in which the group had to wait; NAN unknown */
};

/* --- small files of the system --- */

/* The file's first line; NULL if there is none. */
static const char *line_of(struct arena *arena, const char *path)
{
	struct span bytes;
	struct error ignored;
	if (file_read(arena, path, FILE_LIMIT, &bytes, &ignored) < 0 || !bytes.len)
		return NULL;
	struct span line = span_trim(span_cut(&bytes, '\n'));
	return line.len ? arena_strndup(arena, line.ptr, line.len) : NULL;
}

static double load_now(struct arena *arena)
{
	const char *line = line_of(arena, "/proc/loadavg");
	struct span rest = span_of(line);
	double load = NAN;
	if (line && span_number(span_cut(&rest, ' '), &load))
		return load;
	return NAN;
}

/* "on" or "off"; the two drivers say it the other way round. */
static const char *boost_of(struct arena *arena)
{
	const char *boost = line_of(arena, "/sys/devices/system/cpu/cpufreq/boost");
	const char *off = line_of(arena, "/sys/devices/system/cpu/intel_pstate/no_turbo");
	if (boost)
		return strcmp(boost, "0") == 0 ? "off" : "on";
	if (off)
		return strcmp(off, "0") == 0 ? "on" : "off";
	return NULL;
}

/* "2 processors": what cpu.max of the control group allows; NULL: no limit, or unknown. */
static const char *limit_of(struct arena *arena)
{
	const char *line = line_of(arena, "/sys/fs/cgroup/cpu.max");
	struct span rest = span_of(line);
	double quota, period;
	if (!line || !span_number(span_cut(&rest, ' '), &quota) ||
	    !span_number(span_trim(rest), &period) || !(period > 0))
		return NULL;
	return arena_printf(arena, "%.4g processors", quota / period);
}

static double throttled_periods(struct arena *arena)
{
	struct span bytes;
	struct error ignored;
	double count = NAN;
	if (file_read(arena, "/sys/fs/cgroup/cpu.stat", FILE_LIMIT, &bytes, &ignored) < 0)
		return NAN;
	while (bytes.ptr) {
		struct span line = span_cut(&bytes, '\n');
		if (span_starts(line, "nr_throttled "))
			span_number(span_from(line, strlen("nr_throttled ")), &count);
	}
	return count;
}

/* --- before, and after --- */

static void warn_before(const struct machine *machine)
{
	const struct cli *cli = machine->cli;
	if (machine->load_before > idle_load * (double)machine->processors)
		cli_warn(cli,
			 "the load is %.1f on %ld processors: something else is running, and times "
			 "will scatter",
			 machine->load_before, machine->processors);
	if (machine->governor && strcmp(machine->governor, "performance") != 0)
		cli_warn(cli,
			 "the processors' governor is %s, which changes their clocks: \"cpupower "
			 "frequency-set -g performance\" keeps them",
			 machine->governor);
}

struct machine *machine_look(struct cli *cli)
{
	struct arena *arena = &cli->arena;
	struct machine *machine = arena_new(arena, struct machine);
	*machine = (struct machine){
		.cli = cli,
		.processors = sysconf(_SC_NPROCESSORS_ONLN),
		.load_before = load_now(arena),
		.load_after = NAN,
		.governor = line_of(arena, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
		.boost = boost_of(arena),
		.limit = limit_of(arena)};
	warn_before(machine);
	gpu_look(cli);
	return machine;
}

int machine_begin(struct machine *machine, bool lock_clocks, struct error *err)
{
	machine->throttled_before = throttled_periods(&machine->cli->arena);
	process_hold(&machine->hold);
	if (gpu_begin(machine->cli, lock_clocks, &machine->gpu, err) == 0)
		return 0;
	process_release(&machine->hold);
	return -1;
}

void machine_end(struct machine *machine)
{
	struct arena *arena = &machine->cli->arena;
	gpu_end(machine->gpu);
	machine->load_after = load_now(arena);
	double throttled = throttled_periods(arena) - machine->throttled_before;
	if (throttled > 0)
		cli_warn(machine->cli,
			 "the control group had to wait for processor time in %.0f periods: its "
			 "limit "
			 "is %s",
			 throttled, machine->limit ? machine->limit : "unknown");
	process_release(&machine->hold);
}

static void add(struct arena *arena, struct run *run, const char *key, const char *text)
{
	if (text && !run_attribute(run, key))
		run_add_attribute(arena, run, key, text);
}

void machine_note(const struct machine *machine, struct arena *arena, struct run *run)
{
	if (!isnan(machine->load_before) && !isnan(machine->load_after))
		add(arena, run, "machine_load",
		    arena_printf(arena, "%.2f before, %.2f after, on %ld processors",
				 machine->load_before, machine->load_after, machine->processors));
	add(arena, run, "cpu_governor", machine->governor);
	add(arena, run, "cpu_boost", machine->boost);
	add(arena, run, "cpu_limit", machine->limit);
	gpu_note(machine->gpu, arena, run);
}
