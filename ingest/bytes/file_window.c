/* Windows are entries of a static table, because the signal handler has to find the window that
 * contains an address. */
#include "ingest/bytes/file_window.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

struct file_window {
	atomic_bool in_use, failed;
	_Atomic(char *) begin; /* a multiple of file_window_size; NULL: nothing is mapped */
	bool shows_file;
	int fd;
	uint64_t from; /* offset in the file */
};

static struct file_window windows[file_windows_limit];
static pthread_once_t prepared = PTHREAD_ONCE_INIT;
static bool is_guarded;
static struct sigaction before_us;

/* Maps zeros over whole pages. */
static bool fill_with_zeros(char *from, char *to)
{
	return from == to || mmap(from, (size_t)(to - from), PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

/* If the address is in a window, replaces its bytes by zeros, from the page of the address on. Uses
 * system calls only, so that the signal handler may call it. */
static bool handle_loss(char *address)
{
	for (size_t i = 0; i < file_windows_limit; i++) {
		struct file_window *w = &windows[i];
		char *begin = atomic_load(&w->begin);
		if (!begin || address < begin || address >= begin + file_window_size)
			continue;
		atomic_store(&w->failed, true);
		address -= (uintptr_t)address % (uintptr_t)sysconf(_SC_PAGESIZE);
		return fill_with_zeros(address, begin + file_window_size);
	}
	return false;
}

/* Signals that do not concern a window go to the previous handler. A fault will be raised again
 * when the instruction is repeated. A signal that was sent, or an early warning of the system about
 * damaged memory, is raised again here. */
static void on_bus_error(int number, siginfo_t *info, void *context)
{
	bool is_fault = info->si_code > 0 && info->si_code != BUS_MCEERR_AO;
	int saved = errno;
	(void)context;
	if (!is_fault || !handle_loss(info->si_addr)) {
		sigaction(number, &before_us, NULL);
		if (!is_fault)
			raise(number);
	}
	errno = saved;
}

static void prepare(void)
{
	struct sigaction action = {.sa_sigaction = on_bus_error,
				   .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigemptyset(&action.sa_mask);
	is_guarded = sigaction(SIGBUS, &action, &before_us) == 0;
}

/* Reserves memory at a multiple of file_window_size, with its margins; NULL on failure. */
static char *reserve(void)
{
	const size_t whole = (size_t)2 * (file_window_size + file_window_margin);
	char *memory = mmap(NULL, whole, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		return NULL;
	char *begin = memory + file_window_margin;
	begin += -(uintptr_t)begin % file_window_size;
	char *used = begin - file_window_margin,
	     *end = begin + file_window_size + file_window_margin;
	if (used > memory)
		munmap(memory, (size_t)(used - memory));
	if (end < memory + whole)
		munmap(end, (size_t)(memory + whole - end));
	return begin;
}

struct file_window *file_window_open(void)
{
	pthread_once(&prepared, prepare);
	for (size_t i = 0; is_guarded && i < file_windows_limit; i++) {
		struct file_window *w = &windows[i];
		if (atomic_exchange(&w->in_use, true))
			continue;
		char *begin = reserve();
		w->shows_file = false;
		atomic_store(&w->failed, false);
		atomic_store(&w->begin, begin);
		if (begin)
			return w;
		atomic_store(&w->in_use, false);
		return NULL;
	}
	return NULL;
}

void file_window_close(struct file_window *window)
{
	if (!window)
		return;
	char *begin = atomic_exchange(&window->begin, NULL);
	if (begin)
		munmap(begin - file_window_margin, file_window_size + 2 * file_window_margin);
	atomic_store(&window->in_use, false);
}

/* A failed mapping may leave a hole, which another thread could allocate. It is filled again; if
 * that fails, the memory is never released. */
static bool give_up(struct file_window *w, char *begin)
{
	if (!fill_with_zeros(begin, begin + file_window_size))
		atomic_store(&w->begin, NULL);
	return false;
}

/* Copies the partial page at the end of the file. It cannot be mapped, because even a private copy
 * of that page is lost when the file becomes shorter. */
static void copy_end(struct file_window *w, int fd, uint64_t from, char *to, size_t len)
{
	ssize_t got;
	do
		got = pread(fd, to, len, (off_t)from);
	while (got < 0 && errno == EINTR);
	if (got != (ssize_t)len)
		atomic_store(&w->failed, true);
}

/* Maps the whole pages of the file, copies the remaining bytes, and fills the window with zeros. */
static bool show(struct file_window *w, int fd, uint64_t from, size_t len)
{
	char *begin = atomic_load(&w->begin);
	const size_t rest = len % (size_t)sysconf(_SC_PAGESIZE), pages = len - rest;
	w->shows_file = false;
	if (!begin)
		return false;
	if (pages > 0 && mmap(begin, pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd,
			      (off_t)from) == MAP_FAILED)
		return give_up(w, begin);
	if (!fill_with_zeros(begin + pages, begin + file_window_size))
		return give_up(w, begin);
	madvise(begin, pages, MADV_SEQUENTIAL);
	copy_end(w, fd, from + pages, begin + pages, rest);
	w->shows_file = true;
	w->fd = fd;
	w->from = from;
	return true;
}

bool file_window_move(struct file_window *window, int fd, uint64_t offset, uint64_t size,
		      struct span *bytes, size_t *before)
{
	assert(offset < size);
	const uint64_t from = offset - offset % file_window_size;
	const size_t len =
		size - from < file_window_size ? (size_t)(size - from) : file_window_size;
	*before = (size_t)(offset - from);
	if ((!window->shows_file || window->fd != fd || window->from != from) &&
	    !show(window, fd, from, len))
		return false;
	*bytes = (struct span){atomic_load(&window->begin) + *before, len - *before};
	return true;
}

bool file_window_failed(const struct file_window *window)
{
	return atomic_load(&window->failed);
}
