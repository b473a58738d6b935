/* Computes the work of a trace from its instruction words and the static DMA queues. */
#include "ingest/ntff/trace/work.h"

#include "model/ntff/trace.h"
#include "model/run/run.h"

enum {
	partition_size = 0x40000,
	semaphore_size = 4,  /* bytes of the write that ends a static transfer */
	semaphore_bytes = 64 /* a transfer that an instruction starts ends with 16 such writes */
};

struct ntff_work *ntff_trace_work_new(void)
{
	struct ntff_work *work = memory_allocate(1, sizeof *work);
	work->written = interval_union_new();
	return work;
}

void ntff_trace_work_free(struct ntff_work *work)
{
	if (work)
		interval_union_free(work->written);
	free(work);
}

/* Saturating addition. */
static void add_to(struct ntff_work *work, uint64_t *sum, uint64_t more)
{
	if (!__builtin_add_overflow(*sum, more, sum))
		return;
	*sum = UINT64_MAX;
	work->overflows++;
}

static void note_written(struct ntff_work *work, const struct ntff_access *target)
{
	uint64_t start = target->address % partition_size;
	if (target->kind == NTFF_SBUF)
		interval_union_add(work->written, start, start + target->extent);
}

/* A square matmul transposes its moving operand if the other one is an identity matrix, which words
 * without the flag do not show. It becomes a candidate. */
static void note_candidate(struct ntff_work *work, const struct ntff_effect *effect)
{
	const struct ntff_access *moving = &effect->source;
	if (work->more_candidates || effect->flops == 0 || moving->bytes == 0 ||
	    effect->columns != (uint64_t)effect->array_rows ||
	    effect->array_rows != effect->array_columns || moving->kind != NTFF_SBUF)
		return;
	struct ntff_candidate candidate = {
		.start = moving->address % partition_size,
		.end = moving->address % partition_size + moving->extent,
		.payload = moving->bytes * (uint64_t)effect->array_rows,
		.flops = effect->flops,
	};
	for (size_t i = 0; i < work->candidate_count; i++) {
		struct ntff_candidate *known = &work->candidates[i];
		if (known->start == candidate.start && known->end == candidate.end &&
		    known->payload == candidate.payload) {
			add_to(work, &known->flops, candidate.flops);
			return;
		}
	}
	if (work->candidate_count == ntff_candidate_limit)
		work->more_candidates = true;
	else
		work->candidates[work->candidate_count++] = candidate;
}

static void add_access(struct ntff_work *work, const struct ntff_access *access, bool write)
{
	uint64_t *sums[][2] = {
		[NTFF_SBUF] = {&work->sbuf_read, &work->sbuf_write},
		[NTFF_PSUM] = {&work->psum_read, &work->psum_write},
		[NTFF_HBM] = {&work->hbm_read, &work->hbm_write},
	};
	if (access->kind == NTFF_NOWHERE)
		return;
	work->unsized += !access->sized;
	add_to(work, sums[access->kind][write], access->bytes);
}

uint64_t ntff_trace_work_instruction(struct ntff_work *work, const struct ntff_instruction *one)
{
	if (!one->in_window || !one->word)
		return 0;
	unsigned opcode = one->word[0];
	struct ntff_effect effect = ntff_word_effect(one->word);
	if (!effect.known) {
		work->unknown_layouts++;
		work->unknown_layout_of[opcode]++;
		return 0;
	}
	add_access(work, &effect.source, false);
	add_access(work, &effect.target, true);
	note_written(work, &effect.target);
	if (effect.source.kind == NTFF_PSUM && effect.target.kind == NTFF_SBUF)
		add_to(work, &work->psum_to_sbuf, effect.target.bytes);
	if (opcode == NTFF_DMA_DIRECT2D)
		add_to(work, &work->described, effect.target.bytes + semaphore_bytes);
	if (opcode != NTFF_MATMUL)
		return 0;
	work->overflows += effect.flops == UINT64_MAX;
	add_to(work, &work->flops, effect.flops);
	add_to(work, &work->flops_of[effect.source.dtype & 15], effect.flops);
	if (effect.transpose)
		add_to(work, &work->flagged_flops, effect.flops);
	note_candidate(work, &effect);
	return effect.flops;
}

static void add_io(struct ntff_work *work, const struct ntff_transfer *one)
{
	struct span name = span_of(one->queue->name);
	uint64_t payload =
		one->bytes % 8 == semaphore_size ? one->bytes - semaphore_size : one->bytes;
	if (span_starts(name, "qSPIO")) {
		add_to(work, &work->hbm_read, payload);
		add_to(work, &work->sbuf_write, payload);
		work->static_io += payload;
	} else if (span_starts(name, "qPoolIO")) {
		add_to(work, &work->hbm_write, payload);
		add_to(work, &work->sbuf_read, payload);
		work->static_io += payload;
	} else {
		work->aimless_io += payload;
	}
}

void ntff_trace_work_transfer(struct ntff_work *work, const struct ntff_transfer *one)
{
	if (one->class != NTFF_DMA_STATIC && one->status != NTFF_TRANSFER_OUTSIDE)
		work->dynamic += one->bytes;
	if (one->class != NTFF_DMA_STATIC || one->status != NTFF_TRANSFER_INSIDE ||
	    one->ring == 14 || one->bytes == semaphore_size)
		return;
	if (one->queue && one->queue->type == NTFF_QUEUE_WEIGHTS) {
		work->weights += one->bytes;
		add_to(work, &work->hbm_read, one->bytes);
		add_to(work, &work->sbuf_write, one->bytes);
	} else if (one->queue && one->queue->type == NTFF_QUEUE_IO) {
		add_io(work, one);
	} else {
		work->aimless_static += one->bytes;
	}
}

/* FLOP of the transposes, found by the rule of docs/formats/ntff.md for words without the flag;
 * false if there were more candidates than are stored. */
static bool find_transposes(const struct ntff_work *work, uint64_t *flops)
{
	*flops = 0;
	if (work->more_candidates)
		return false;
	for (size_t i = 0; i < work->candidate_count; i++) {
		const struct ntff_candidate *one = &work->candidates[i];
		if (one->payload == work->weights &&
		    !interval_union_overlaps(work->written, one->start, one->end))
			*flops =
				one->flops > UINT64_MAX - *flops ? UINT64_MAX : *flops + one->flops;
	}
	return true;
}

/* --- to the run --- */

static void set_dtype(struct arena *arena, struct run *run, const struct ntff_work *work)
{
	struct strbuf others = {0};
	size_t largest = 0, kinds = 0;
	for (size_t i = 0; i < ntff_dtype_codes; i++) {
		largest = work->flops_of[i] > work->flops_of[largest] ? i : largest;
		kinds += work->flops_of[i] > 0;
		if (work->flops_of[i])
			strbuf_addf(&others, "%s%s %.3g %%", others.len ? ", " : "",
				    ntff_dtype_name((int)i) ? ntff_dtype_name((int)i) : "unknown",
				    100 * (double)work->flops_of[i] / (double)work->flops);
	}
	const char *name = work->flops_of[largest] ? ntff_dtype_name((int)largest) : NULL;
	if (name && dtype_normalise(span_of(name)))
		run->dtype = dtype_normalise(span_of(name));
	if (kinds > 1)
		run_warn(arena, run, "the matmuls have several data types: %s of the FLOP",
			 strbuf_text(&others));
	strbuf_free(&others);
}

static void set_flops(struct arena *arena, struct run *run, const struct ntff_work *work,
		      bool flags, bool complete)
{
	enum provenance provenance = complete ? PROVENANCE_MEASURED : PROVENANCE_AT_LEAST;
	uint64_t inferred;
	run_set(run, METRIC_HARDWARE_FLOPS, (double)work->flops, provenance);
	if (flags) {
		run_set(run, METRIC_TRANSPOSE_FLOPS, (double)work->flagged_flops, provenance);
	} else if (find_transposes(work, &inferred)) {
		run_set(run, METRIC_TRANSPOSE_FLOPS, (double)inferred, PROVENANCE_ESTIMATED);
		if (work->flops)
			run_warn(arena, run,
				 "transpose_flops is inferred: instructions of this generation do "
				 "not mark transposes; a square matmul counts as one if its moving "
				 "operand is exactly what the static weight queues load and no "
				 "instruction writes it");
	} else {
		run_warn(arena, run,
			 "transpose_flops is unknown: too many different square matmuls");
	}
}

/* Warns about bytes without a known source or direction. */
static void note_aimless(struct arena *arena, struct run *run, const struct ntff_work *work,
			 uint64_t aimless)
{
	if (work->described != work->dynamic)
		run_warn(arena, run,
			 "instructions describe %" PRIu64 " of %" PRIu64
			 " bytes of the dynamic DMA queues: HBM and SBUF bytes count only those",
			 work->described, work->dynamic);
	if (work->static_io)
		run_warn(arena, run,
			 "the direction of %" PRIu64 " bytes of static input and output is "
			 "inferred from the names of their queues",
			 work->static_io);
	if (aimless)
		run_warn(arena, run,
			 "unknown direction of %" PRIu64
			 " bytes of static DMA: only total HBM traffic is known, and SBUF bytes "
			 "are lower bounds",
			 aimless);
}

/* HBM traffic, as far as the direction of each transfer is known. */
static void set_hbm(struct arena *arena, struct run *run, const struct ntff_work *work,
		    bool complete)
{
	uint64_t aimless = work->aimless_io + work->aimless_static;
	bool explained = work->described == work->dynamic;
	enum provenance provenance = complete && explained && !work->weights && !work->static_io
					     ? PROVENANCE_MEASURED
					     : PROVENANCE_ESTIMATED;
	if (work->untraced_dma) {
		run_warn(arena, run,
			 "SBUF bytes are lower bounds: DMA queue traffic was not traced");
		return;
	}
	if (work->dynamic && !work->described) {
		run_warn(arena, run,
			 "no instruction describes the %" PRIu64
			 " bytes of the dynamic DMA queues: HBM traffic is unknown, and SBUF bytes "
			 "are lower bounds",
			 work->dynamic);
		return;
	}
	note_aimless(arena, run, work, aimless);
	if (work->weights)
		run_warn(arena, run,
			 "hbm_read_bytes is an upper bound: for %" PRIu64
			 " bytes of static weights only the bytes that arrived are known; MBU is "
			 "an upper bound too, arithmetic intensity a lower bound",
			 work->weights);
	if (aimless) {
		run_set(run, METRIC_DEVICE_MEMORY_TRAFFIC,
			(double)((unsigned __int128)work->hbm_read + work->hbm_write + aimless),
			PROVENANCE_ESTIMATED);
		return;
	}
	run_set(run, METRIC_HBM_READ_BYTES, (double)work->hbm_read, provenance);
	run_set(run, METRIC_HBM_WRITE_BYTES, (double)work->hbm_write, provenance);
}

/* Traffic of SBUF and PSUM. Instruction words describe what the engines move; DMA contributes to
 * SBUF only. */
static void set_chip(struct run *run, const struct ntff_work *work, bool complete)
{
	bool words = complete && !work->unknown_layouts && !work->unsized;
	bool dma = !work->untraced_dma && work->described == work->dynamic && !work->aimless_io &&
		   !work->aimless_static;
	enum provenance psum = words ? PROVENANCE_MEASURED : PROVENANCE_AT_LEAST;
	enum provenance sbuf = !words || !dma    ? PROVENANCE_AT_LEAST
			       : work->static_io ? PROVENANCE_ESTIMATED
						 : PROVENANCE_MEASURED;
	run_set(run, METRIC_SBUF_READ_BYTES, (double)work->sbuf_read, sbuf);
	run_set(run, METRIC_SBUF_WRITE_BYTES, (double)work->sbuf_write, sbuf);
	run_set(run, METRIC_PSUM_READ_BYTES, (double)work->psum_read, psum);
	run_set(run, METRIC_PSUM_WRITE_BYTES, (double)work->psum_write, psum);
	run_set(run, METRIC_PSUM_TO_SBUF_BYTES, (double)work->psum_to_sbuf, psum);
}

static void note_unknown_layouts(struct arena *arena, struct run *run, const struct ntff_work *work)
{
	struct strbuf text = {0};
	for (unsigned i = 0; i < 256; i++)
		if (work->unknown_layout_of[i])
			strbuf_addf(&text, "%s0x%02x (%" PRIu64 ")", text.len ? ", " : "", i,
				    work->unknown_layout_of[i]);
	if (text.len)
		run_warn(arena, run,
			 "SBUF and PSUM bytes are lower bounds: unknown operands of opcodes %s",
			 strbuf_text(&text));
	if (work->unsized)
		run_warn(arena, run,
			 "SBUF and PSUM bytes are lower bounds: %" PRIu64
			 " operand%s of unknown size",
			 work->unsized, work->unsized == 1 ? "" : "s");
	strbuf_free(&text);
}

void ntff_trace_work_set(struct arena *arena, struct run *run, const struct ntff_work *work,
			 bool flags, uint64_t outside)
{
	bool complete = outside == 0 && work->overflows == 0;
	if (outside)
		run_warn(arena, run,
			 "FLOP and bytes are lower bounds: %" PRIu64
			 " instruction%s ran outside the programs in the trace",
			 outside, outside == 1 ? "" : "s");
	set_dtype(arena, run, work);
	set_flops(arena, run, work, flags, complete);
	set_hbm(arena, run, work, complete);
	set_chip(run, work, complete);
	note_unknown_layouts(arena, run, work);
	if (work->overflows)
		run_warn(arena, run,
			 "counts overflow 64 bits: FLOP and bytes are lower bounds; the trace is "
			 "probably damaged");
}
