/* An unreliable wall clock: two readings are years apart in either direction, also before 1970 and
 * after the year 9999. To be loaded before the C library (LD_PRELOAD). Monotonic clocks are not
 * changed, unless CLOCK_SLOW_READER is set: then whoever reads the program's standard output takes
 * an hour for each write. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define DAY 86400L

static time_t jumped(time_t now)
{
    static unsigned looks;
    /* Processes start at different positions, so that even those that read it once see different times. */
    switch ((__atomic_fetch_add(&looks, 1, __ATOMIC_RELAXED) + (unsigned)getpid()) % 6) {
    case 0: return now + 3 * DAY;
    case 1: return now - 3 * DAY;
    case 2: return -40 * 365 * DAY;     /* 1930 */
    case 3: return 9000 * 366 * DAY;    /* beyond 9999 */
    case 4: return now;
    default: return 0;
    }
}

static long hours;

ssize_t write(int file, const void *bytes, size_t size)
{
    ssize_t (*next)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    if (file == STDOUT_FILENO && getenv("CLOCK_SLOW_READER") != NULL)
        __atomic_add_fetch(&hours, 1, __ATOMIC_RELAXED);
    return next(file, bytes, size);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int failed = (int)syscall(SYS_clock_gettime, clock, time);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        time->tv_sec = jumped(time->tv_sec);
    if (!failed && clock == CLOCK_MONOTONIC)
        time->tv_sec += 3600 * __atomic_load_n(&hours, __ATOMIC_RELAXED);
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec time;
    int failed = clock_gettime(CLOCK_REALTIME, &time);
    (void)zone;
    if (!failed) {
        now->tv_sec = time.tv_sec;
        now->tv_usec = time.tv_nsec / 1000;
    }
    return failed;
}

time_t time(time_t *result)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result != NULL)
        *result = now.tv_sec;
    return now.tv_sec;
}
