/* Checks the tiles and cycles that a matmul table states. */
#include "ingest/npu/npu_tiling.h"

#include "model/sizing/sizing.h"

static const char *const dimensions[] = {"M", "K", "N"};
static const char *const columns[] = {"num_tiles_M", "num_tiles_K", "num_tiles_N"};
/* Tile sizes that a table may use; bit i of `fits` stands for candidates[i]. */
static const double candidates[] = {32, 64, 128, 256, 512, 1024, 2048};
enum { candidate_count = sizeof candidates / sizeof *candidates };
_Static_assert(candidate_count < 32, "each candidate is a bit of an unsigned");

struct npu_tiling npu_tiling_new(void)
{
	unsigned all = (1u << candidate_count) - 1;
	return (struct npu_tiling){.fits = {all, all, all}};
}

static void read_tiles(struct npu_tiling *tiling, const struct csv *csv, const double size[3],
		       const double tiles[3], double total)
{
	double ours = tiles_count(&(struct matmul){size[0], size[1], size[2]});
	if (isnan(ours) || isnan(total))
		return;
	tiling->counted++;
	tiling->products +=
		tiles[0] * tiles[1] * tiles[2] != total && !isnan(tiles[0] * tiles[1] * tiles[2]);
	if (ours != total && tiling->differing++ == 0) {
		tiling->first_line = csv->line;
		tiling->first[0] = total;
		tiling->first[1] = ours;
	}
	for (size_t d = 0; d < 3; d++)
		for (unsigned i = 0; i < candidate_count; i++)
			if (tiles_along(size[d], candidates[i]) != tiles[d])
				tiling->fits[d] &= ~(1u << i);
}

int npu_tiling_add(struct npu_tiling *tiling, const struct csv *csv, struct error *err)
{
	double size[3], tiles[3], total, cycles;
	for (size_t d = 0; d < 3; d++)
		if (csv_number(csv, dimensions[d], &size[d], err) < 0 ||
		    csv_number(csv, columns[d], &tiles[d], err) < 0)
			return -1;
	if (csv_number(csv, "total_tiles", &total, err) < 0 ||
	    csv_number(csv, "cycles", &cycles, err) < 0)
		return -1;
	read_tiles(tiling, csv, size, tiles, total);
	tiling->cycles += !isnan(cycles);
	tiling->arithmetic += cycles == size[0] + size[1] + size[2] - 2;
	return 0;
}

/* "fit N tiles of 128": the dimensions for which the table uses other tile sizes than rooflog. */
static void add_fits(struct strbuf *sb, const struct npu_tiling *tiling)
{
	const double ours[] = {tiles_pe.m, tiles_pe.k, tiles_pe.n};
	size_t listed = 0;
	for (size_t d = 0; d < 3; d++) {
		bool fits = false;
		size_t found = 0;
		for (unsigned i = 0; i < candidate_count; i++)
			fits |= (tiling->fits[d] & (1u << i)) && candidates[i] == ours[d];
		if (fits)
			continue;
		strbuf_addf(sb, "%s %s tiles of ", listed++ ? "," : "; the file's num_tiles fit",
			    dimensions[d]);
		for (unsigned i = 0; i < candidate_count; i++)
			if (tiling->fits[d] & (1u << i))
				strbuf_addf(sb, "%s%.0f", found++ ? " or " : "", candidates[i]);
		if (!found)
			strbuf_addstr(sb, "no single size");
	}
}

static void note_tiles(const struct npu_tiling *tiling, struct arena *arena, struct run *run)
{
	struct strbuf sb = {0};
	if (tiling->differing) {
		strbuf_addf(&sb,
			    "total_tiles differs from tile_count (tiles of M 128, K 128, N 512) in "
			    "%zu of %zu row%s, first at line %zu: %.10g, not %.10g",
			    tiling->differing, tiling->counted, tiling->counted == 1 ? "" : "s",
			    tiling->first_line, tiling->first[0], tiling->first[1]);
		add_fits(&sb, tiling);
		strbuf_addstr(&sb, "; the file's counts are stored as attribute total_tiles");
	}
	if (tiling->products)
		strbuf_addf(&sb,
			    "%stotal_tiles is not the product of num_tiles_M, num_tiles_K and "
			    "num_tiles_N in %zu row%s",
			    sb.len ? "; " : "", tiling->products, tiling->products == 1 ? "" : "s");
	if (sb.len)
		run_add_note(arena, run, "rooflog", strbuf_into(&sb, arena));
}

void npu_tiling_note(const struct npu_tiling *tiling, struct arena *arena, struct run *run)
{
	note_tiles(tiling, arena, run);
	if (tiling->cycles && tiling->cycles == tiling->arithmetic)
		run_add_note(arena, run, "rooflog",
			     "cycles equals M + K + N - 2 in every row (computed, not measured): "
			     "ignored");
	else if (tiling->cycles)
		run_add_note(arena, run, "rooflog", "origin of cycles is undocumented: ignored");
}
