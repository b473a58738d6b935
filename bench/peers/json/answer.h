/*
 * What the C and C++ peers share: totals and intervals collected record by record, and the answer
 * in the form of bench/peers/json/answer.jq. A reader fills `record` with what a record has, in any
 * order, and hands it over when the record ends. Texts are the reader's and are copied where they
 * are kept.
 */
#ifndef BENCH_PEERS_JSON_ANSWER_H
#define BENCH_PEERS_JSON_ANSWER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum section { SECTION_NONE, SECTION_SUMMARY, SECTION_INSTRUCTION, SECTION_DMA, SECTION_ACTIVE };

/* The members that the answer needs; those with the same part in different sections are one. */
enum member {
	MEMBER_NONE,
	MEMBER_START,    /* timestamp, start_ts */
	MEMBER_END,      /* end_ts */
	MEMBER_DURATION, /* duration */
	MEMBER_BYTES,    /* transfer_size */
	MEMBER_TOTAL,    /* total_time */
	MEMBER_NAME,     /* opcode, queue_type, engine */
	MEMBER_SOURCE    /* nki_source_location */
};

struct text {
	const char *start;
	size_t length;
};

struct record {
	uint64_t start, end, duration, bytes;
	double total_time;
	struct text name, source;
};

enum section section_of(const char *name, size_t length);
enum member member_of(enum section section, const char *name, size_t length);
void add_record(enum section section, const struct record *record);
/* Prints the answer; returns the program's exit status. */
int print_answer(void);

#ifdef __cplusplus
}
#endif

#endif
