/* Runs a fuzz target over every file in and below the given directories: what plain ctest does with
 * the seeds and with the files that once crashed something. A target with mutations of its own gets
 * some of each file too, the same ones every time. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/system/file.h"
#include "base/strbuf.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed)
	__attribute__((weak));

enum { mutations = 64, mutated_size_limit = 256 * 1024 };

/* Half of them are mutations of the one before. */
static void replay_mutations(const uint8_t *bytes, size_t size)
{
	size_t room = size + 4096, len = 0;
	uint8_t *mutated = malloc(room);
	if (!mutated)
		abort();
	for (unsigned i = 0; i < mutations; i++) {
		if (i % 2 == 0)
			for (len = 0; len < size; len++)
				mutated[len] = bytes[len];
		len = LLVMFuzzerCustomMutator(mutated, len, room, i);
		uint8_t *copy = malloc(len ? len : 1);
		if (!copy)
			abort();
		for (size_t k = 0; k < len; k++)
			copy[k] = mutated[k];
		LLVMFuzzerTestOneInput(copy, len);
		free(copy);
	}
	free(mutated);
}

static int replay_file(const char *path)
{
	struct arena arena = {0};
	struct error err;
	struct span bytes;
	int rc = file_read(&arena, path, 64 * 1024 * 1024, &bytes, &err);
	if (rc < 0) {
		fprintf(stderr, "%s\n", err.text);
	} else {
		/* An exact copy lets the sanitizers see reads beyond its end. */
		uint8_t *copy = malloc(bytes.len ? bytes.len : 1);
		if (!copy)
			abort();
		for (size_t i = 0; i < bytes.len; i++)
			copy[i] = (uint8_t)bytes.ptr[i];
		LLVMFuzzerTestOneInput(copy, bytes.len);
		if (LLVMFuzzerCustomMutator && bytes.len < mutated_size_limit)
			replay_mutations(copy, bytes.len);
		free(copy);
	}
	arena_free(&arena);
	return rc;
}

/* How many files; -1 when one of them, or a directory, cannot be read. */
static int replay_directory(const char *folder)
{
	DIR *dir = opendir(folder);
	if (!dir) {
		fprintf(stderr, "cannot open %s\n", folder);
		return -1;
	}
	int count = 0, rc = 0;
	for (struct dirent *entry = readdir(dir); entry && rc >= 0; entry = readdir(dir)) {
		struct strbuf path = {0};
		if (entry->d_name[0] == '.')
			continue;
		strbuf_addf(&path, "%s/%s", folder, entry->d_name);
		rc = entry->d_type == DT_DIR ? replay_directory(strbuf_text(&path))
					     : replay_file(strbuf_text(&path));
		count += entry->d_type == DT_DIR ? rc : 1;
		strbuf_free(&path);
	}
	closedir(dir);
	return rc < 0 ? -1 : count;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		int count = replay_directory(argv[i]);
		printf("%s: %d files\n", argv[i], count);
		if (count <= 0)
			return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
