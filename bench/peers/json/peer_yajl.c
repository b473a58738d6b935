/* usage: peer_yajl FILE: the answer, with yajl: callbacks while the file streams by. Numbers come
 * as text, so that only those that are wanted are converted. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yajl/yajl_parse.h>

#include "bench/peers/json/answer.h"

enum { buffer_size = 256 * 1024, text_limit = 512 };

struct reader {
	int depth; /* 1 in the profile, 2 in a section, 3 in a record */
	enum section section;
	enum member member;
	struct record record;
	char name[text_limit], source[text_limit];
};

/* Digits of a whole number; yajl has checked the grammar. */
static uint64_t whole(const char *text, size_t length)
{
	uint64_t value = 0;
	for (size_t i = 0; i < length; i++)
		value = value * 10 + (uint64_t)(text[i] - '0');
	return value;
}

static int on_number(void *context, const char *text, size_t length)
{
	struct reader *reader = context;
	struct record *record = &reader->record;
	if (reader->depth != 3)
		return 1;
	switch (reader->member) {
	case MEMBER_START:
		record->start = whole(text, length);
		break;
	case MEMBER_END:
		record->end = whole(text, length);
		break;
	case MEMBER_DURATION:
		record->duration = whole(text, length);
		break;
	case MEMBER_BYTES:
		record->bytes = whole(text, length);
		break;
	case MEMBER_TOTAL:
		record->total_time = strtod(text, NULL);
		break;
	case MEMBER_NAME:
	case MEMBER_SOURCE:
	case MEMBER_NONE:
		break;
	}
	return 1;
}

/* A text lies in yajl's buffer only during the callback. */
static struct text keep(char *to, const unsigned char *text, size_t length)
{
	if (length > text_limit)
		abort();
	memcpy(to, text, length);
	return (struct text){to, length};
}

static int on_string(void *context, const unsigned char *text, size_t length)
{
	struct reader *reader = context;
	if (reader->depth != 3)
		return 1;
	if (reader->member == MEMBER_NAME)
		reader->record.name = keep(reader->name, text, length);
	else if (reader->member == MEMBER_SOURCE)
		reader->record.source = keep(reader->source, text, length);
	return 1;
}

static int on_key(void *context, const unsigned char *name, size_t length)
{
	struct reader *reader = context;
	if (reader->depth == 1)
		reader->section = section_of((const char *)name, length);
	else if (reader->depth == 3)
		reader->member = member_of(reader->section, (const char *)name, length);
	return 1;
}

static int on_start(void *context)
{
	struct reader *reader = context;
	if (++reader->depth == 3)
		reader->record = (struct record){0};
	return 1;
}

static int on_end(void *context)
{
	struct reader *reader = context;
	if (reader->depth-- == 3)
		add_record(reader->section, &reader->record);
	return 1;
}

static bool read_profile(int file, yajl_handle parser)
{
	static unsigned char buffer[buffer_size];
	ssize_t got;
	while ((got = read(file, buffer, sizeof buffer)) > 0)
		if (yajl_parse(parser, buffer, (size_t)got) != yajl_status_ok)
			return false;
	return got == 0 && yajl_complete_parse(parser) == yajl_status_ok;
}

int main(int argc, char **argv)
{
	static const yajl_callbacks callbacks = {
		.yajl_number = on_number,
		.yajl_string = on_string,
		.yajl_start_map = on_start,
		.yajl_map_key = on_key,
		.yajl_end_map = on_end,
		.yajl_start_array = on_start,
		.yajl_end_array = on_end,
	};
	static struct reader reader;
	int file = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	yajl_handle parser = yajl_alloc(&callbacks, NULL, &reader);
	if (file < 0 || !read_profile(file, parser)) {
		fputs("peer_yajl: cannot read the file\n", stderr);
		return 1;
	}
	yajl_free(parser);
	return print_answer();
}
