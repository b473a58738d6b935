/* Formulas over the quantities of a launch. */
#include "ingest/ncu/run.h"

static double number(const struct ncu_launch *launch, enum ncu_quantity quantity)
{
	assert((size_t)quantity < NCU_QUANTITY_COUNT);
	return launch->numbers[quantity];
}

static double first_known(double a, double b)
{
	return isnan(a) ? b : a;
}

double ncu_time(const struct ncu_launch *launch)
{
	double clock = number(launch, NCU_SM_CLOCK);
	double cycles = first_known(number(launch, NCU_SM_CYCLES), number(launch, NCU_CYCLES));
	return first_known(number(launch, NCU_DURATION), clock > 0 ? cycles / clock : NAN);
}

static double tensor_pipe(const struct ncu_launch *launch)
{
	/* A kernel uses instructions of one kind; fmax ignores the NANs of the others. */
	double kinds = fmax(fmax(number(launch, NCU_TENSOR_HMMA), number(launch, NCU_TENSOR_IMMA)),
			    fmax(number(launch, NCU_TENSOR_DMMA), number(launch, NCU_TENSOR_GMMA)));
	double all = number(launch, NCU_TENSOR_ALL);
	return first_known(all, fmax(number(launch, NCU_TENSOR_TC), kinds));
}

/* --- traffic --- */

enum { sector_bytes = 32, l1_transfer_bytes = 128 };

/* The counted bytes, else those of another count, else rate x duration. */
static double traffic(const struct ncu_launch *launch, double bytes, double others, double rate)
{
	return first_known(bytes, first_known(others, rate * ncu_time(launch)));
}

static double dram_read(const struct ncu_launch *launch)
{
	return traffic(launch, number(launch, NCU_DRAM_READ),
		       number(launch, NCU_DRAM_READ_SECTORS) * sector_bytes,
		       number(launch, NCU_DRAM_READ_RATE));
}

static double dram_written(const struct ncu_launch *launch)
{
	return traffic(launch, number(launch, NCU_DRAM_WRITE),
		       number(launch, NCU_DRAM_WRITE_SECTORS) * sector_bytes,
		       number(launch, NCU_DRAM_WRITE_RATE));
}

/* Only if what was read or written is unknown. */
static double dram_total(const struct ncu_launch *launch)
{
	if (!isnan(dram_read(launch)) && !isnan(dram_written(launch)))
		return NAN;
	return traffic(launch, number(launch, NCU_DRAM_BYTES), NAN, number(launch, NCU_DRAM_RATE));
}

static double l2_bytes(const struct ncu_launch *launch)
{
	return traffic(launch, number(launch, NCU_L2_BYTES),
		       number(launch, NCU_L2_TRANSFERS) * sector_bytes,
		       number(launch, NCU_L2_RATE));
}

static double l1_bytes(const struct ncu_launch *launch)
{
	return traffic(launch, number(launch, NCU_L1_BYTES),
		       number(launch, NCU_L1_TRANSFERS) * l1_transfer_bytes,
		       number(launch, NCU_L1_RATE));
}

/* --- accesses of warps --- */

static double load_sectors(const struct ncu_launch *launch)
{
	return first_known(number(launch, NCU_GLOBAL_LOAD_SECTORS) /
				   number(launch, NCU_GLOBAL_LOAD_REQUESTS),
			   number(launch, NCU_GLOBAL_LOAD_RATIO));
}

static double store_sectors(const struct ncu_launch *launch)
{
	return first_known(number(launch, NCU_GLOBAL_STORE_SECTORS) /
				   number(launch, NCU_GLOBAL_STORE_REQUESTS),
			   number(launch, NCU_GLOBAL_STORE_RATIO));
}

static double bank_conflicts(const struct ncu_launch *launch)
{
	return first_known(number(launch, NCU_BANK_CONFLICTS),
			   number(launch, NCU_BANK_CONFLICTS_LOAD) +
				   number(launch, NCU_BANK_CONFLICTS_STORE));
}

static double shared_wavefronts(const struct ncu_launch *launch)
{
	return first_known(number(launch, NCU_SHARED_WAVEFRONTS),
			   number(launch, NCU_SHARED_WAVEFRONTS_LOAD) +
				   number(launch, NCU_SHARED_WAVEFRONTS_STORE));
}

/* --- FLOP --- */

static double cycles_of(const struct ncu_launch *launch)
{
	return first_known(first_known(number(launch, NCU_SM_CYCLES), number(launch, NCU_CYCLES)),
			   ncu_time(launch) * number(launch, NCU_SM_CLOCK));
}

/* Two adjacent quantities count an instruction: in total and per cycle. */
static double executed(const struct ncu_launch *launch, enum ncu_quantity instruction)
{
	double per_cycle = number(launch, (enum ncu_quantity)(instruction + 1));
	return first_known(number(launch, instruction), per_cycle * cycles_of(launch));
}

static double or_none(double count)
{
	return isnan(count) ? 0 : count;
}

static double fp16_flops(const struct ncu_launch *launch)
{
	return 2 * executed(launch, NCU_HADD) + 2 * executed(launch, NCU_HMUL) +
	       4 * executed(launch, NCU_HFMA);
}

/* Packed instructions exist since compute capability 10.0. Files of older devices omit them. */
static double fp32_flops(const struct ncu_launch *launch)
{
	double packed = 2 * or_none(executed(launch, NCU_FADD2)) +
			2 * or_none(executed(launch, NCU_FMUL2)) +
			4 * or_none(executed(launch, NCU_FFMA2));
	return executed(launch, NCU_FADD) + executed(launch, NCU_FMUL) +
	       2 * executed(launch, NCU_FFMA) + packed;
}

static double fp64_flops(const struct ncu_launch *launch)
{
	return executed(launch, NCU_DADD) + executed(launch, NCU_DMUL) +
	       2 * executed(launch, NCU_DFMA);
}

/* "<types>_sparsity_on" and "<types>_sparsity_off" are parts of the metric "<types>": returns its
 * types, or the types themselves if it is not such a part. */
static struct span parent_of(struct span types)
{
	static const struct {
		const char *text;
		size_t len;
	} shares[] = {{"_sparsity_on", 12}, {"_sparsity_off", 13}};
	for (size_t i = 0; i < 2; i++)
		if (span_ends(types, shares[i].text))
			return (struct span){types.ptr, types.len - shares[i].len};
	return types;
}

static bool has_parent(const struct ncu_launch *launch, const struct ncu_tensor *tensor)
{
	struct span parent = parent_of(tensor->types);
	if (parent.len == tensor->types.len)
		return false;
	for (const struct ncu_tensor *other = launch->tensor; other; other = other->next)
		if (other->per_cycle == tensor->per_cycle && !isnan(other->number) &&
		    span_eq(other->types, parent))
			return true;
	return false;
}

static double tensor_sum(const struct ncu_launch *launch, bool per_cycle)
{
	double sum = NAN;
	for (const struct ncu_tensor *tensor = launch->tensor; tensor; tensor = tensor->next)
		if (tensor->per_cycle == per_cycle && !isnan(tensor->number) &&
		    !has_parent(launch, tensor))
			sum = or_none(sum) + tensor->number;
	return sum;
}

/* FLOP of the tensor pipe, summed over its types. Older architectures do not count operations by
 * type: there it follows from instructions of a known size, or is 0 if the pipe was idle. */
static double tensor_flops(const struct ncu_launch *launch)
{
	double operations = first_known(tensor_sum(launch, false),
					tensor_sum(launch, true) * cycles_of(launch));
	double instructions = number(launch, NCU_TENSOR_INSTRUCTIONS);
	if (!isnan(operations))
		return operations;
	/* Later tensor instructions come in several sizes, so their count does not give FLOP. */
	if (span_is(launch->cc, "7.0") && !isnan(instructions))
		return 512 * instructions;
	return instructions == 0 || tensor_pipe(launch) == 0 ? 0 : NAN;
}

/* NAN if one of the four is unknown. */
static double hardware_flops(const struct ncu_launch *launch)
{
	return fp16_flops(launch) + fp32_flops(launch) + fp64_flops(launch) + tensor_flops(launch);
}

/* --- sizes --- */

/* "(1024, 5, 1)": the product of the sizes. */
static double volume(struct span sizes)
{
	double product = NAN;
	if (!span_starts(sizes, "(") || !span_ends(sizes, ")"))
		return NAN;
	struct span rest = {sizes.ptr + 1, sizes.len - 2};
	while (rest.len) {
		double size;
		if (!span_number(span_trim(span_cut(&rest, ',')), &size) || !(size >= 0))
			return NAN;
		product = isnan(product) ? size : product * size;
	}
	return product;
}

static double grid_size(const struct ncu_launch *launch)
{
	return first_known(number(launch, NCU_GRID_SIZE), volume(launch->identity.grid));
}

static double block_size(const struct ncu_launch *launch)
{
	return first_known(number(launch, NCU_BLOCK_SIZE), volume(launch->identity.block_size));
}

/* --- peaks --- */

static double peak_l2(const struct ncu_launch *launch)
{
	return number(launch, NCU_L2_PEAK) * sector_bytes * number(launch, NCU_L2_CLOCK);
}

static double peak_l1(const struct ncu_launch *launch)
{
	return number(launch, NCU_L1_PEAK) * l1_transfer_bytes * number(launch, NCU_L1_CLOCK);
}

double ncu_peak_dram(const struct ncu_launch *launch, double *error)
{
	/* The attributes are in kHz and bits. Data is transferred on both edges of the clock. */
	double stated = 2 * number(launch, NCU_DEVICE_MEMORY_CLOCK) * 1e3 *
			number(launch, NCU_DEVICE_BUS_WIDTH) / 8;
	double sustained = number(launch, NCU_DRAM_PEAK) * number(launch, NCU_MEMORY_CLOCK);
	double share = number(launch, NCU_DRAM_THROUGHPUT);
	double rate = number(launch, NCU_DRAM_RATE);
	*error = 0;
	if (stated > 0 || sustained > 0)
		return stated > 0 ? stated : sustained;
	/* The share is a percentage with two decimals, so its rounding error is up to 0.005 %. */
	*error = 0.00005 / share;
	return share >= 0.01 && rate > 0 ? rate / share : NAN;
}

/* --- the table --- */

const struct ncu_formula ncu_formulas[NCU_FORMULA_COUNT] = {
	{ncu_time, NCU_DURATION, METRIC_TOTAL_TIME, PROVENANCE_DERIVED},
	{grid_size, NCU_GRID_SIZE, METRIC_GRID_SIZE, PROVENANCE_MEASURED},
	{block_size, NCU_BLOCK_SIZE, METRIC_BLOCK_SIZE, PROVENANCE_MEASURED},
	{tensor_pipe, NCU_QUANTITY_COUNT, METRIC_TENSOR_PIPE, PROVENANCE_REPORTED},
	{dram_read, NCU_DRAM_READ, METRIC_HBM_READ_BYTES, PROVENANCE_DERIVED},
	{dram_written, NCU_DRAM_WRITE, METRIC_HBM_WRITE_BYTES, PROVENANCE_DERIVED},
	{dram_total, NCU_DRAM_BYTES, METRIC_DEVICE_MEMORY_TRAFFIC, PROVENANCE_DERIVED},
	{l2_bytes, NCU_L2_BYTES, METRIC_L2_BYTES, PROVENANCE_DERIVED},
	{l1_bytes, NCU_L1_BYTES, METRIC_L1_BYTES, PROVENANCE_DERIVED},
	{load_sectors, NCU_QUANTITY_COUNT, METRIC_GLOBAL_LOAD_SECTORS, PROVENANCE_DERIVED},
	{store_sectors, NCU_QUANTITY_COUNT, METRIC_GLOBAL_STORE_SECTORS, PROVENANCE_DERIVED},
	{bank_conflicts, NCU_BANK_CONFLICTS, METRIC_BANK_CONFLICTS, PROVENANCE_DERIVED},
	{shared_wavefronts, NCU_SHARED_WAVEFRONTS, METRIC_SHARED_WAVEFRONTS, PROVENANCE_DERIVED},
	{fp16_flops, NCU_QUANTITY_COUNT, METRIC_FP16_FLOPS, PROVENANCE_DERIVED},
	{fp32_flops, NCU_QUANTITY_COUNT, METRIC_FP32_FLOPS, PROVENANCE_DERIVED},
	{fp64_flops, NCU_QUANTITY_COUNT, METRIC_FP64_FLOPS, PROVENANCE_DERIVED},
	{tensor_flops, NCU_QUANTITY_COUNT, METRIC_TENSOR_FLOPS, PROVENANCE_DERIVED},
	{hardware_flops, NCU_QUANTITY_COUNT, METRIC_HARDWARE_FLOPS, PROVENANCE_DERIVED},
	{peak_l2, NCU_QUANTITY_COUNT, METRIC_PEAK_L2_BANDWIDTH, PROVENANCE_DERIVED},
	{peak_l1, NCU_QUANTITY_COUNT, METRIC_PEAK_L1_BANDWIDTH, PROVENANCE_DERIVED},
};
