/*
 * usage: read_input THREADS FILE
 *
 * Reads a file as every reader does, through ingest/input/input.h, ignores the bytes and prints
 * how many there were: the cost of unpacking if no later step is slower.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ingest/input/input.h"

int main(int argc, char **argv)
{
	struct error err;
	struct span bytes = {NULL, 1};
	size_t total = 0;
	if (argc != 3) {
		fputs("usage: read_input THREADS FILE\n", stderr);
		return 2;
	}
	struct input *input = input_open(argv[2], &err);
	if (input)
		input_set_threads(input, (size_t)strtoul(argv[1], NULL, 10));
	while (input && bytes.len) {
		if (input_next(input, &bytes, &err) < 0) {
			input_close(input);
			input = NULL;
		}
		total += bytes.len;
	}
	if (!input) {
		fprintf(stderr, "read_input: %s\n", err.text);
		return 1;
	}
	input_close(input);
	printf("%zu\n", total);
	return 0;
}
