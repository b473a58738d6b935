/*
 * The shortest way past a JSON value that nobody asks for: its end is where as
 * many brackets have been closed as were opened. Strings and their escapes are
 * told from the rest, so that brackets inside of them do not count. Nothing else
 * is looked at: what lies between may break every other rule of JSON, "[" may be
 * closed by "}", and nothing is too long or too deep.
 */
#ifndef INGEST_JSON_SIMD_PASS_H
#define INGEST_JSON_SIMD_PASS_H

#include <stdbool.h>
#include <stdint.h>

/* Between two pieces of a value; all zero: before its opening bracket. */
struct json_pass {
	uint64_t depth; /* brackets that are open */
	bool in_string;
	bool escaped; /* behind an odd number of backslashes */
};

/* Behind the value's last bracket; `end` while depth is not 0. json_slack bytes (json_blocks.h) can
 * be read behind `end`. */
const char *json_pass(struct json_pass *pass, const char *p, const char *end);

/* By instruction set, as json_blocks.h has them: whole blocks of 64 bytes in which the value does
 * not end. What is left is for json_pass(). */
const char *json_pass_avx512(struct json_pass *pass, const char *p, const char *end);
const char *json_pass_avx2(struct json_pass *pass, const char *p, const char *end);
const char *json_pass_neon(struct json_pass *pass, const char *p, const char *end);
const char *json_pass_words(struct json_pass *pass, const char *p, const char *end);

#endif
