/* A small matrix product, for "rooflog run --against" (docs/measuring.md): REPEATS says how often
 * it is computed, so that two versions differ by a known share. cc -O2 -o matmul matmul.c */
enum { SIZE = 128 };
#ifndef REPEATS
#define REPEATS 100
#endif

static float a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];

int main(void)
{
	for (int repeat = 0; repeat < REPEATS; repeat++)
		for (int i = 0; i < SIZE; i++)
			for (int k = 0; k < SIZE; k++)
				for (int j = 0; j < SIZE; j++)
					c[i][j] += a[i][k] * b[k][j];
	return c[1][1] > 1;
}
