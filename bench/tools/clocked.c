/* usage: clocked FILE, with CLOCK in the environment
 * A program whose time is simulated. CLOCK is a file of numbers, one a line of 24 bytes; FILE in
 * the current directory is the factor of this version. The first line of CLOCK counts the calls.
 * Printed is one result of hyperfine's JSON. */
#include <stdio.h>
#include <stdlib.h>

enum { LINE = 24 };

static double read_number(FILE *file, const char *name)
{
	double number;
	if (!file || fscanf(file, "%lf", &number) != 1) {
		fprintf(stderr, "clocked: no number in %s\n", name);
		exit(1);
	}
	return number;
}

int main(int argc, char **argv)
{
	const char *name = argc == 2 ? argv[1] : "factor", *clock_name = getenv("CLOCK");
	FILE *factor = fopen(name, "r"), *file = clock_name ? fopen(clock_name, "r+") : NULL;
	double mine = read_number(factor, name);
	double calls = read_number(file, clock_name ? clock_name : "CLOCK") + 1;
	fseek(file, 0, SEEK_SET);
	fprintf(file, "%-*.0f\n", LINE - 1, calls);
	fseek(file, (long)calls * LINE, SEEK_SET);
	double seconds = mine * read_number(file, clock_name);
	fclose(file);
	fclose(factor);
	printf("{\"results\": [{\"command\": \"kernel\", \"times\": [%.12g]}]}\n", seconds);
	return 0;
}
