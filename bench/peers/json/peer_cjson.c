/* usage: peer_cjson FILE: the answer, with cJSON: the whole tree, then a walk over it. The children
 * of a record are looked at once each, not searched for by name. */
#include <cjson/cJSON.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/peers/json/answer.h"

static char *read_file(const char *path, size_t *length)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	if (file < 0 || fstat(file, &status) < 0)
		return NULL;
	char *text = malloc((size_t)status.st_size + 1);
	for (*length = 0; text && *length < (size_t)status.st_size;) {
		ssize_t got = read(file, text + *length, (size_t)status.st_size - *length);
		if (got <= 0)
			return NULL;
		*length += (size_t)got;
	}
	close(file);
	return text;
}

static struct text text_of(const cJSON *value)
{
	return (struct text){value->valuestring,
			     value->valuestring ? strlen(value->valuestring) : 0};
}

static void walk_record(enum section section, const cJSON *from)
{
	struct record record = {0};
	for (const cJSON *child = from->child; child; child = child->next) {
		switch (member_of(section, child->string, strlen(child->string))) {
		case MEMBER_START:
			record.start = (uint64_t)child->valuedouble;
			break;
		case MEMBER_END:
			record.end = (uint64_t)child->valuedouble;
			break;
		case MEMBER_DURATION:
			record.duration = (uint64_t)child->valuedouble;
			break;
		case MEMBER_BYTES:
			record.bytes = (uint64_t)child->valuedouble;
			break;
		case MEMBER_TOTAL:
			record.total_time = child->valuedouble;
			break;
		case MEMBER_NAME:
			record.name = text_of(child);
			break;
		case MEMBER_SOURCE:
			record.source = text_of(child);
			break;
		case MEMBER_NONE:
			break;
		}
	}
	add_record(section, &record);
}

int main(int argc, char **argv)
{
	size_t length = 0;
	char *text = argc == 2 ? read_file(argv[1], &length) : NULL;
	cJSON *profile = text ? cJSON_ParseWithLength(text, length) : NULL;
	free(text);
	if (!profile) {
		fputs("peer_cjson: cannot read the file\n", stderr);
		return 1;
	}
	for (const cJSON *list = profile->child; list; list = list->next) {
		enum section section = section_of(list->string, strlen(list->string));
		for (const cJSON *one = section ? list->child : NULL; one; one = one->next)
			walk_record(section, one);
	}
	return print_answer();
}
