/* Acts from many threads at a given rate, each of them timed, and children that are killed while they act:
 *
 *     rate INSIDE OUTSIDE THREADS RATE SECONDS
 *
 * Prints how many acts there were, how many ended otherwise than they must, and the longest (in microseconds) that an
 * act, and the end of a child that was killed, took to come. After a line on standard input it acts until every thread
 * has had ENOSYS, and prints when the last one had, by the monotonic clock.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BINS = 200000, THREADS_MAX = 256 };

static const char *outside;
static double interval, until;
static unsigned acts, wrong, bins[BINS];
static double worst, slowest_end, last_refused;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void longest(double *of, double value)
{
    pthread_mutex_lock(&lock);
    if (value > *of)
        *of = value;
    pthread_mutex_unlock(&lock);
}

static void count(double began, int is_right)
{
    double took = now() - began;
    unsigned bin = took * 1e6 < BINS - 1 ? took * 1e6 : BINS - 1;
    __atomic_add_fetch(&bins[bin], 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&acts, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&wrong, !is_right, __ATOMIC_RELAXED);
    longest(&worst, took);
}

static int remove_name(const char *path)
{
    return syscall(SYS_unlinkat, AT_FDCWD, path, 0) ? errno : 0;
}

static void *act(void *number)
{
    char name[32];
    snprintf(name, sizeof name, "rate-%d", (int)(long)number);
    double due = now() + interval * drand48();
    for (int turn = 0; due < until; turn++, due += interval) {
        double ahead = due - now();
        if (ahead > 0)
            usleep(ahead * 1e6);
        double began = now();
        if (turn % 3 == 0) {
            count(began, remove_name(outside) == EPERM);
        } else if (turn % 3 == 1) {
            int fd = syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
            count(began, fd >= 0);
            close(fd);
        } else {
            count(began, remove_name(name) == 0);
        }
    }
    return 0;
}

static void *kill_children(void *none)
{
    for (int turn = 0; now() < until; turn++) {
        pid_t child = fork();
        if (child == 0)
            for (;;)
                remove_name(outside);
        usleep(2000 + 1000 * (turn % 7));
        double began = now();
        kill(child, SIGKILL);
        waitpid(child, 0, 0);
        longest(&slowest_end, now() - began);
    }
    return none;
}

static void *act_until_there_is_nobody(void *none)
{
    while (remove_name(outside) != ENOSYS)
        ;
    longest(&last_refused, now());
    return none;
}

static void all(int threads, void *(*work)(void *))
{
    pthread_t thread[THREADS_MAX + 1];
    for (long i = 0; i < threads; i++)
        pthread_create(&thread[i], 0, work, (void *)i);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], 0);
}

int main(int argc, char **argv)
{
    if (argc != 6 || chdir(argv[1]) || atoi(argv[3]) > THREADS_MAX)
        return 3;
    outside = argv[2];
    int threads = atoi(argv[3]);
    interval = threads / atof(argv[4]);
    until = now() + atof(argv[5]);
    pthread_t killer;
    pthread_create(&killer, 0, kill_children, 0);
    all(threads, act);
    pthread_join(killer, 0);
    unsigned above = acts / 1000, seen = 0, bin = BINS;
    while (bin > 0 && seen <= above)
        seen += bins[--bin];
    printf("acts %u, wrong %u, one of 1000 longer than %u, longest %.0f, longest end %.0f\n", acts, wrong, bin, worst * 1e6,
           slowest_end * 1e6);
    fflush(stdout);
    if (getchar() != EOF) {
        all(threads, act_until_there_is_nobody);
        printf("%.6f\n", last_refused);
    }
    return 0;
}
