/* Functions that must not be called. The build includes this header into every source. */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* With _FORTIFY_SOURCE, clang sees macros of these names. */
#undef sprintf
#undef vsprintf
#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf strtok gets
#pragma GCC poison asctime gmtime localtime atoi atof atol atoll

/* Deprecated instead of poisoned, because a structure of libgit2 has a member of this name. */
char *ctime(const time_t *time) __attribute__((deprecated("use strftime")));

#endif
