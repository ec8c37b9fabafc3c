/* Makes one call fail, or all from one on: calls that change files of a folder, allocate memory, or start a thread.
 * Or sends the program a signal before it changes a file, or when it ends: the points at which a kill can make a
 * difference. Or before it sleeps. To be loaded before the C library (LD_PRELOAD).
 *
 * FAILING_FOLDER   the folder, without links in its path
 * FAILING_KIND     files, memory or threads; signal, or signal-sleep
 * FAILING_SIGNAL   the number of the signal
 * FAILING_HANG     if set, the thread that sent the signal then hangs, like one with hours of work
 * FAILING_CALL     number of the failing call, from 1; 0 for none
 * FAILING_ON       if set, every later call that needs disk space or a thread fails too
 * FAILING_COUNT    a file for the number of calls, written at the end */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static const char *folder;
static long failing;
static int on, memory, threads, ready, signals, sleeps, hangs;
static long calls;

__attribute__((constructor)) static void begin(void)
{
    const char *kind = getenv("FAILING_KIND"), *call = getenv("FAILING_CALL");
    folder = getenv("FAILING_FOLDER");
    failing = call ? atol(call) : 0;
    on = getenv("FAILING_ON") != NULL;
    hangs = getenv("FAILING_HANG") != NULL;
    memory = kind != NULL && strcmp(kind, "memory") == 0;
    threads = kind != NULL && strcmp(kind, "threads") == 0;
    sleeps = kind != NULL && strcmp(kind, "signal-sleep") == 0;
    if (kind != NULL && strncmp(kind, "signal", 6) == 0)
        signals = atoi(getenv("FAILING_SIGNAL"));
    ready = folder != NULL;
}

static int fails(int error)
{
    long now = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
    if (signals) {
        if (now == failing) {
            kill(getpid(), signals);
            while (hangs)
                pause();
        }
        return 0;
    }
    return failing > 0 && (on && (error == ENOSPC || error == EAGAIN) ? now >= failing : now == failing);
}

__attribute__((destructor)) static void end(void)
{
    const char *name = getenv("FAILING_COUNT");
    ready = hangs = 0;
    if (signals)
        fails(0);
    if (name != NULL) {
        FILE *file = fopen(name, "w");
        if (file != NULL) {
            fprintf(file, "%ld\n", calls);
            fclose(file);
        }
    }
}

static int in_folder(const char *path)
{
    return path != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

/* Returns true if a change of a file fails now. */
static int file_fails(int file, const char *path, int error)
{
    char link[64], name[PATH_MAX], whole[2 * PATH_MAX];
    ssize_t length;
    if (!ready || memory || threads || sleeps)
        return 0;
    if (path == NULL) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", file);
        length = readlink(link, name, sizeof name - 1);
        if (length < 0)
            return 0;
        name[length] = 0;
        path = name;
    } else if (path[0] != '/') {
        if (getcwd(name, sizeof name) == NULL)
            return 0;
        snprintf(whole, sizeof whole, "%s/%s", name, path);
        path = whole;
    }
    return in_folder(path) && fails(error);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define CHANGE(type, name, parameters, arguments, file, path, error) \
    type name parameters                                             \
    {                                                                \
        if (file_fails(file, path, error)) {                         \
            errno = error;                                           \
            return -1;                                               \
        }                                                            \
        return NEXT(name) arguments;                                 \
    }

CHANGE(ssize_t, write, (int file, const void *bytes, size_t size), (file, bytes, size), file, NULL, ENOSPC)
CHANGE(ssize_t, pwrite, (int file, const void *bytes, size_t size, off_t at), (file, bytes, size, at), file, NULL, ENOSPC)
CHANGE(ssize_t, pwrite64, (int file, const void *bytes, size_t size, off64_t at), (file, bytes, size, at), file, NULL, ENOSPC)
CHANGE(ssize_t, writev, (int file, const struct iovec *parts, int number), (file, parts, number), file, NULL, ENOSPC)
CHANGE(int, ftruncate, (int file, off_t size), (file, size), file, NULL, ENOSPC)
CHANGE(int, ftruncate64, (int file, off64_t size), (file, size), file, NULL, ENOSPC)
CHANGE(int, fsync, (int file), (file), file, NULL, EIO)
CHANGE(int, fdatasync, (int file), (file), file, NULL, EIO)
CHANGE(int, rename, (const char *from, const char *to), (from, to), -1, to, EIO)
CHANGE(int, unlink, (const char *path), (path), -1, path, EIO)
CHANGE(int, mkdir, (const char *path, mode_t mode), (path, mode), -1, path, ENOSPC)

/* Opening a file is a change if it may create the file. */
#define OPEN(name)                                                              \
    int name(const char *path, int flags, ...)                                  \
    {                                                                           \
        mode_t mode = 0;                                                        \
        if (flags & (O_CREAT | O_TMPFILE)) {                                    \
            va_list rest;                                                       \
            va_start(rest, flags);                                              \
            mode = va_arg(rest, mode_t);                                        \
            va_end(rest);                                                       \
        }                                                                       \
        if ((flags & O_CREAT) && file_fails(-1, path, ENOSPC)) {                \
            errno = ENOSPC;                                                     \
            return -1;                                                          \
        }                                                                       \
        return NEXT(name)(path, flags, mode);                                   \
    }

OPEN(open)
OPEN(open64)

int nanosleep(const struct timespec *time, struct timespec *left)
{
    if (ready && sleeps)
        fails(0);
    return NEXT(nanosleep)(time, left);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
    if (ready && sleeps)
        fails(0);
    return NEXT(clock_nanosleep)(clock, flags, time, left);
}

static int memory_fails(void)
{
    if (!ready || !memory || !fails(ENOMEM))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) { return memory_fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t number, size_t size) { return memory_fails() ? NULL : __libc_calloc(number, size); }
void *realloc(void *old, size_t size) { return memory_fails() ? NULL : __libc_realloc(old, size); }

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*begin)(void *), void *argument)
{
    if (ready && threads && fails(EAGAIN))
        return EAGAIN;
    return NEXT(pthread_create)(thread, attributes, begin, argument);
}
