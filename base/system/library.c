/* Loads libraries on first use. */
#include "base/system/library.h"

#include <dlfcn.h>

static int missing(const struct lazy_library *library, struct error *err)
{
	const char *reason = dlerror();
	return error_set(err, ERR_SYSTEM, "%s (Debian package %s); without it %s",
			 reason ? reason : library->soname, library->package, library->without);
}

static int fill_table(struct lazy_library *library, struct error *err)
{
	char *slot = library->table;
	assert(!library->ready && *library->names);
	void *handle = dlopen(library->soname, RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		return missing(library, err);
	for (const char *name = library->names; *name; name += strlen(name) + 1) {
		void *function = dlsym(handle, name);
		if (!function) {
			missing(library, err);
			dlclose(handle);
			return -1;
		}
		memcpy(slot, &function, sizeof function);
		slot += sizeof function;
	}
	library->ready = true;
	return 0;
}

int library_open(struct lazy_library *library, struct error *err)
{
	pthread_mutex_lock(&library->lock);
	int rc = library->ready ? 0 : fill_table(library, err);
	pthread_mutex_unlock(&library->lock);
	return rc;
}

const char *library_version(const char *soname, const char *function, const char *built)
{
	const char *(*ask)(void) = NULL;
	void *handle = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
	void *found = handle && *function ? dlsym(handle, function) : NULL;
	memcpy(&ask, &found, sizeof ask);
	return !handle ? NULL : ask ? ask() : built;
}
