/* Counters: which of them changed with the time, and which show that the code differs. */
#include "model/explain/internal.h"

#include "model/gate/gate.h"
#include "model/run/runs.h"

/* Metrics of one group measure the same thing; only the one that changed most is reported. */
enum group {
	GROUP_TRAFFIC,
	GROUP_SPILL,
	GROUP_FLOP,
	GROUP_TRANSPOSE,
	GROUP_INSTRUCTIONS,
	GROUP_TRANSFERS,
	GROUP_QUEUES,
	GROUP_COLLECTIVES,
	GROUP_L2,
	GROUP_L1,
	GROUP_REGISTERS,
	GROUP_SHARED,
	GROUP_LAUNCH,
	GROUP_OCCUPANCY,
	GROUP_HITS,
	GROUP_LIMIT
};

/* How changes are weighed against each other: bytes and FLOP by the time that they take at peak. */
enum measure { BY_SHARE, BY_BYTES, BY_FLOP };

static const struct row {
	enum group group;
	enum metric metric;
	enum message_code name;
	int costs; /* 1: more of it takes time, -1: saves time, 0: a setting */
	enum measure measure;
} rows[] = {
#define ROW(group, metric, name, costs, measure)                                                   \
	{                                                                                          \
		GROUP_##group, METRIC_##metric, MESSAGE_PART_##name, costs, BY_##measure           \
	}
	ROW(TRAFFIC, HBM_READ_BYTES, HBM_READS, 1, BYTES),
	ROW(TRAFFIC, HBM_WRITE_BYTES, HBM_WRITES, 1, BYTES),
	ROW(TRAFFIC, HBM_BYTES, HBM_TRAFFIC, 1, BYTES),
	ROW(SPILL, SPILL_RELOAD_BYTES, SPILL_RELOADS, 1, BYTES),
	ROW(SPILL, SPILL_SAVE_BYTES, SPILL_SAVES, 1, BYTES),
	ROW(SPILL, SPILL_REQUESTS, SPILLING_REQUESTS, 1, SHARE),
	ROW(FLOP, USEFUL_FLOPS, FLOP, 1, FLOP),
	ROW(FLOP, HARDWARE_FLOPS, FLOP, 1, FLOP),
	ROW(TRANSPOSE, TRANSPOSE_FLOPS, TRANSPOSE_FLOP, 1, FLOP),
	ROW(INSTRUCTIONS, MATMUL_COUNT, MATMULS, 1, SHARE),
	ROW(INSTRUCTIONS, ACTIVATE_COUNT, ACTIVATES, 1, SHARE),
	ROW(INSTRUCTIONS, TENSOR_INSTRUCTION_COUNT, TENSOR_INSTRUCTIONS, 1, SHARE),
	ROW(INSTRUCTIONS, VECTOR_INSTRUCTION_COUNT, VECTOR_INSTRUCTIONS, 1, SHARE),
	ROW(INSTRUCTIONS, SCALAR_INSTRUCTION_COUNT, SCALAR_INSTRUCTIONS, 1, SHARE),
	ROW(INSTRUCTIONS, GPSIMD_INSTRUCTION_COUNT, GPSIMD_INSTRUCTIONS, 1, SHARE),
	ROW(TRANSFERS, DMA_TRANSFER_COUNT, DMA_TRANSFERS, 1, SHARE),
	ROW(TRANSFERS, DMA_TRANSFER_BYTES, DMA_BYTES, 1, BYTES),
	ROW(TRANSFERS, DMA_AVERAGE_BYTES, AVERAGE_DMA_TRANSFER, -1, SHARE),
	ROW(QUEUES, STATIC_DMA_BYTES, STATIC_DMA_BYTES, 1, BYTES),
	ROW(QUEUES, SOFTWARE_DMA_BYTES, SOFTWARE_DMA_BYTES, 1, BYTES),
	ROW(QUEUES, HARDWARE_DMA_BYTES, HARDWARE_DMA_BYTES, 1, BYTES),
	ROW(QUEUES, STATIC_DMA_PACKETS, STATIC_DMA_PACKETS, 1, SHARE),
	ROW(QUEUES, SOFTWARE_DMA_PACKETS, SOFTWARE_DMA_PACKETS, 1, SHARE),
	ROW(QUEUES, HARDWARE_DMA_PACKETS, HARDWARE_DMA_PACKETS, 1, SHARE),
	ROW(COLLECTIVES, CC_OP_COUNT, COLLECTIVES, 1, SHARE),
	ROW(L2, L2_BYTES, L2_TRAFFIC, 1, SHARE),
	ROW(L1, L1_BYTES, L1_TRAFFIC, 1, SHARE),
	ROW(REGISTERS, REGISTERS_PER_THREAD, REGISTERS_A_THREAD, 0, SHARE),
	ROW(SHARED, SHARED_STATIC_BYTES, STATIC_SHARED_MEMORY, 0, SHARE),
	ROW(SHARED, SHARED_DYNAMIC_BYTES, DYNAMIC_SHARED_MEMORY, 0, SHARE),
	ROW(SHARED, SHARED_BYTES, SHARED_MEMORY, 0, SHARE),
	ROW(LAUNCH, GRID_SIZE, BLOCKS, 0, SHARE),
	ROW(LAUNCH, BLOCK_SIZE, THREADS_A_BLOCK, 0, SHARE),
	ROW(LAUNCH, WAVES_PER_SM, WAVES_PER_SM, 0, SHARE),
	ROW(LAUNCH, TILE_COUNT, TILES, 1, SHARE),
	ROW(OCCUPANCY, ACHIEVED_OCCUPANCY, ACHIEVED_OCCUPANCY, -1, SHARE),
	ROW(OCCUPANCY, THEORETICAL_OCCUPANCY, THEORETICAL_OCCUPANCY, -1, SHARE),
	ROW(HITS, L2_HIT_RATE, L2_HITS, -1, SHARE),
	ROW(HITS, L1_HIT_RATE, L1_HITS, -1, SHARE),
#undef ROW
};

/* Caches and replays make the traffic of a GPU differ from run to run; FLOP, registers, launches
 * and spills are those of the program. */
static bool is_cached(enum metric metric)
{
	return metric == METRIC_HBM_READ_BYTES || metric == METRIC_HBM_WRITE_BYTES ||
	       metric == METRIC_HBM_BYTES || metric == METRIC_L2_BYTES ||
	       metric == METRIC_L1_BYTES || metric == METRIC_DEVICE_MEMORY_TRAFFIC;
}

static bool lacks_dma(const struct run *run)
{
	for (size_t i = 0; i < run->note_count; i++)
		if (strstr(run->notes[i].message, "dynamic DMA metadata"))
			return true;
	return false;
}

static bool is_dma(enum metric metric)
{
	return strstr(metric_info(metric)->key, "dma_") != NULL;
}

/* Whether a difference shows that something else ran, not just that it ran differently. */
static bool is_deterministic(const struct explaining *e, enum metric metric)
{
	if (metric_info(metric)->role != METRIC_ROLE_COUNTER)
		return false;
	if (e->gpu && is_cached(metric))
		return false;
	/* If the profiler lost DMA events, the count is random. */
	return !is_dma(metric) || (!lacks_dma(e->before) && !lacks_dma(e->after));
}

/* Files may print a counter with fewer digits than it has. */
static bool is_equal(double a, double b)
{
	static const double rounding = 1e-6;
	return fabs(a - b) <= rounding * fmax(fabs(a), fabs(b));
}

static bool is_counted(const struct run *run, enum metric metric)
{
	enum provenance provenance = run->given[metric].provenance;
	/* Absent because it is zero. */
	if (provenance == PROVENANCE_UNKNOWN)
		return explain_number(run, metric) == 0;
	return provenance != PROVENANCE_ESTIMATED;
}

void explain_evidence(struct explaining *e)
{
	double most = 0;
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		enum metric metric = (enum metric)i;
		double before = explain_number(e->before, metric);
		double after = explain_number(e->after, metric);
		/* If both files omit it, it was perhaps not counted. */
		bool given = e->before->given[i].provenance != PROVENANCE_UNKNOWN ||
			     e->after->given[i].provenance != PROVENANCE_UNKNOWN;
		if (!given || !is_deterministic(e, metric) || isnan(before) || isnan(after) ||
		    !is_counted(e->before, metric) || !is_counted(e->after, metric))
			continue;
		e->compared++;
		if (is_equal(before, after))
			continue;
		e->different++;
		double share = fabs(after - before) / fmax(before, after);
		if (share > most)
			e->differing = message_of(
				e->arena, MESSAGE_PART_MOVED,
				message_text(metric_info(metric)->key),
				message_change(before, after, metric_info(metric)->unit));
		most = fmax(most, share);
	}
}

/* Whether two numbers differ enough to be reported: measured ones vary by themselves. */
static bool is_worth_words(const struct explaining *e, enum metric metric, const double sides[2])
{
	double difference = fabs(sides[1] - sides[0]);
	double share = difference / fmax(fabs(sides[0]), fabs(sides[1]));
	if (metric_info(metric)->unit == UNIT_FRACTION)
		return difference >= 0.02 && share >= 0.03;
	return share >= (is_deterministic(e, metric) ? 0.01 : 0.03);
}

static double weight_of(const struct explaining *e, const struct row *row, const double sides[2])
{
	double difference = fabs(sides[1] - sides[0]);
	double share = difference / fmax(fabs(sides[0]), fabs(sides[1]));
	/* The peaks that the ratios were computed with. */
	double bandwidth =
		run_number(e->after, METRIC_ACHIEVED_BANDWIDTH) / run_number(e->after, METRIC_MBU);
	double flops = run_number(e->after, METRIC_RIDGE) * bandwidth;
	double seconds = row->measure == BY_BYTES  ? difference / bandwidth
			 : row->measure == BY_FLOP ? difference / flops
						   : NAN;
	/* Counters that cannot be converted to seconds come after those that can, unless they
	 * changed considerably. */
	double weight = seconds / fabs(e->span);
	/* The DMA moves bytes that the memory traffic has counted already. */
	if (row->group == GROUP_TRANSFERS || row->group == GROUP_QUEUES)
		weight /= 2;
	return isnan(weight) ? 0.1 * share : fmax(weight, 0.1 * share);
}

static bool moved_with_it(const struct explaining *e, const struct row *row, double difference)
{
	return row->costs == 0 || row->costs * difference * e->way > 0;
}

/* The same work with different traffic: the intensity changed. */
static const struct message *same_work(const struct explaining *e, const struct row *row)
{
	double before = explain_number(e->before, METRIC_USEFUL_FLOPS);
	double after = explain_number(e->after, METRIC_USEFUL_FLOPS);
	double intensity = explain_number(e->before, METRIC_ARITHMETIC_INTENSITY);
	if (row->group != GROUP_TRAFFIC || !(before > 0) || !is_equal(before, after) ||
	    isnan(intensity))
		return NULL;
	return message_of(e->arena, MESSAGE_SAME_FLOP,
			  message_sides(intensity,
					explain_number(e->after, METRIC_ARITHMETIC_INTENSITY),
					UNIT_FLOP_PER_BYTE));
}

/* The memory of a GPU is called DRAM. */
static enum message_code name_of(const struct explaining *e, const struct row *row)
{
	if (!e->gpu || row->group != GROUP_TRAFFIC)
		return row->name;
	return row->metric == METRIC_HBM_READ_BYTES    ? MESSAGE_PART_DRAM_READS
	       : row->metric == METRIC_HBM_WRITE_BYTES ? MESSAGE_PART_DRAM_WRITES
						       : MESSAGE_PART_DRAM_TRAFFIC;
}

/* Whether it is reported already: as the explained metric, or as an input of it. */
static bool is_reported(const struct explaining *e, enum metric metric)
{
	for (size_t i = 0; i < e->inputs.count; i++)
		if (strcmp(e->inputs.items[i].key, metric_info(metric)->key) == 0)
			return true;
	return metric == e->metric;
}

static void add_counter(struct explaining *e, const struct row *row, struct explain_part *best)
{
	double sides[] = {explain_number(e->before, row->metric),
			  explain_number(e->after, row->metric)};
	/* Counts with lost events are meaningless. */
	bool lost = is_dma(row->metric) && (lacks_dma(e->before) || lacks_dma(e->after));
	if (lost || isnan(sides[0]) || isnan(sides[1]) || !is_worth_words(e, row->metric, sides) ||
	    !moved_with_it(e, row, sides[1] - sides[0]))
		return;
	double weight = weight_of(e, row, sides);
	/* The first of those that changed about as much; the sum of all only if none did. */
	if (best->text && weight < best->weight * 1.1)
		return;
	const struct metric_info *info = metric_info(row->metric);
	*best = (struct explain_part){.kind = info->role == METRIC_ROLE_COUNTER ? "counter"
										: "gauge",
				      .key = info->key,
				      .unit = info->unit,
				      .before = sides[0],
				      .after = sides[1],
				      .weight = weight};
	explain_fill(e, best, message_plain(name_of(e, row)), same_work(e, row));
}

void explain_counters(struct explaining *e)
{
	struct explain_part best[GROUP_LIMIT] = {{0}};
	if (e->way == 0)
		return;
	bool reported[GROUP_LIMIT] = {false};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		reported[rows[i].group] = reported[rows[i].group] || is_reported(e, rows[i].metric);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!reported[rows[i].group])
			add_counter(e, &rows[i], &best[rows[i].group]);
	for (int i = 0; i < GROUP_LIMIT; i++)
		if (best[i].text)
			explain_add_part(e, &e->counters, best[i]);
	explain_rank(&e->counters);
}
