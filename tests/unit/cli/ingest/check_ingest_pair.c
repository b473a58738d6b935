/* cli/ingest_pair, cli/ingest_join: which NEFF is whose. */
#include "cli/ingest/ingest.h"
#include "ingest/reader.h"
#include "tests/unit/unit.h"

#define UUID "3fa1c4d200a5a6a7a8a9aaabacadaeaf"
#define HASH "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"

static const struct {
	const char *hash, *uuid, *start; /* values of the run */
	bool joined_hash, named, paired;
	bool agrees, belongs;
} rows[] = {
	{.uuid = NULL},
	{.uuid = UUID, .agrees = true, .belongs = true},
	{.uuid = "3fa1c4d300a5a6a7a8a9aaabacadaeaf"},
	/* A whole one that is too short is none. */
	{.uuid = "3fa1c4d2"},
	{.start = "3fa1c4d2", .agrees = true, .belongs = true},
	{.start = "3fa1c4d3"},
	/* So few bytes may be the same by chance. */
	{.start = "3fa1c4", .agrees = true},
	{.start = "3f", .agrees = true},
	{.start = "3f", .named = true, .agrees = true, .belongs = true},
	{.start = "3f", .paired = true, .agrees = true, .belongs = true},
	{.start = "3e", .named = true, .paired = true},
	/* The run's own hash is what counts; one that joined it is as good as its UUID. */
	{.hash = HASH, .belongs = true},
	{.hash = "b1", .uuid = UUID, .agrees = true},
	{.hash = "b1", .joined_hash = true, .uuid = UUID, .agrees = true, .belongs = true},
	{.hash = HASH, .joined_hash = true, .uuid = "3fa1c4d300a5a6a7a8a9aaabacadaeaf"},
};

START_TEST(tells_whose_neff)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli cli = {0};
		const struct companion neff = {.kernel_hash = HASH, .uuid = UUID};
		const struct placed_companion placed = {&neff, "a/k.neff", "a", &neff_reader,
							rows[i].named};
		struct run *run = run_new(&cli.arena);
		bool chance;
		run->kernel_hash = rows[i].hash;
		run->joined_hash = rows[i].joined_hash;
		if (rows[i].uuid)
			run_add_attribute(&cli.arena, run, "uuid", rows[i].uuid);
		if (rows[i].start)
			run_add_attribute(&cli.arena, run, "uuid_start", rows[i].start);
		const struct incoming one = {.run = run,
					     .path = "b/k.ntff",
					     .directory = "b",
					     .named = rows[i].named,
					     .neff = rows[i].paired ? "a/k.neff" : NULL};
		ck_assert_msg(ingest_uuid_agrees(run, UUID, &chance) == rows[i].agrees, "row %zu",
			      i);
		ck_assert_msg(ingest_belongs(&cli, &placed, &one) == rows[i].belongs, "row %zu", i);
		arena_free(&cli.arena);
	}
}
END_TEST

UNIT_MAIN("ingest_pair", tells_whose_neff)
