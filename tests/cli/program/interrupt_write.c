/* Raises the signal INTERRUPT_BY at the write INTERRUPT_AT (from 1 on) to a write-ahead log. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at)
{
	static int writes;
	char link[64], path[4096];
	const char *wanted = getenv("INTERRUPT_AT"), *number = getenv("INTERRUPT_BY");
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t len = readlink(link, path, sizeof path - 1);
	path[len < 0 ? 0 : len] = '\0';
	size_t suffix = strlen("-wal");
	if (wanted && number && len > (ssize_t)suffix && strcmp(path + len - suffix, "-wal") == 0 &&
	    ++writes == atoi(wanted))
		raise(atoi(number));
	return syscall(SYS_pwrite64, fd, bytes, size, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	return pwrite64(fd, bytes, size, at);
}
