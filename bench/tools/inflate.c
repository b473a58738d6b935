/*
 * usage: inflate isal|zlib|zstd FILE
 * Unpacks a file with one library alone, throws the bytes away and prints how many there were: the
 * least that anything which reads the file has to pay.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <isa-l/igzip_lib.h>
#include <zlib.h>
#include <zstd.h>

enum { packed_size = 64 * 1024, unpacked_size = 512 * 1024 };

static unsigned char packed[packed_size], unpacked[unpacked_size];

static size_t fill(int fd)
{
	ssize_t got = read(fd, packed, sizeof packed);
	if (got < 0) {
		perror("inflate");
		exit(1);
	}
	return (size_t)got;
}

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "inflate: %s\n", what);
	exit(1);
}

static size_t by_isal(int fd)
{
	static struct inflate_state z;
	size_t total = 0;
	isal_inflate_init(&z);
	z.crc_flag = ISAL_GZIP;
	while (z.block_state != ISAL_BLOCK_FINISH) {
		if (z.avail_in == 0) {
			z.avail_in = (uint32_t)fill(fd);
			z.next_in = packed;
		}
		z.next_out = unpacked;
		z.avail_out = unpacked_size;
		if (isal_inflate(&z) != ISAL_DECOMP_OK)
			fail("damaged data");
		total += unpacked_size - z.avail_out;
	}
	return total;
}

static size_t by_zlib(int fd)
{
	z_stream z = {0};
	size_t total = 0;
	int status = Z_OK;
	if (inflateInit2(&z, 15 + 16) != Z_OK)
		fail("no memory");
	while (status != Z_STREAM_END) {
		if (z.avail_in == 0) {
			z.avail_in = (uInt)fill(fd);
			z.next_in = packed;
		}
		z.next_out = unpacked;
		z.avail_out = unpacked_size;
		status = inflate(&z, Z_NO_FLUSH);
		if (status != Z_OK && status != Z_STREAM_END)
			fail("damaged data");
		total += unpacked_size - z.avail_out;
	}
	inflateEnd(&z);
	return total;
}

static size_t by_zstd(int fd)
{
	ZSTD_DCtx *context = ZSTD_createDCtx();
	ZSTD_inBuffer in = {packed, 0, 0};
	size_t total = 0, status = 1;
	while (status != 0) {
		if (in.pos == in.size)
			in = (ZSTD_inBuffer){packed, fill(fd), 0};
		ZSTD_outBuffer out = {unpacked, unpacked_size, 0};
		status = ZSTD_decompressStream(context, &out, &in);
		if (ZSTD_isError(status))
			fail(ZSTD_getErrorName(status));
		total += out.pos;
	}
	ZSTD_freeDCtx(context);
	return total;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		size_t (*unpack)(int fd);
	} libraries[] = {{"isal", by_isal}, {"zlib", by_zlib}, {"zstd", by_zstd}};
	int fd = argc == 3 ? open(argv[2], O_RDONLY | O_CLOEXEC) : -1;
	for (size_t i = 0; fd >= 0 && i < sizeof libraries / sizeof *libraries; i++)
		if (strcmp(argv[1], libraries[i].name) == 0) {
			printf("%zu\n", libraries[i].unpack(fd));
			return 0;
		}
	fputs("usage: inflate isal|zlib|zstd FILE\n", stderr);
	return 2;
}
