/* Processes, threads, signals and forks, all of them making and removing files at the same time:
 *
 *     storm INSIDE OUTSIDE PROCESSES THREADS SECONDS
 *
 * Prints how often OUTSIDE, a file that must stay, was lost, and how often a call ended otherwise than it must; a hang
 * or a crash shows in how it ends. `-` for OUTSIDE leaves it out. Each thread leaves one file behind.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *outside;
static volatile int stop;
static int lost, wrong, handled;

/* Counts what must not be from threads and handlers alike. */
static void must(int holds)
{
    if (!holds)
        __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
}

static void try_outside(void)
{
    if (!outside)
        return;
    if (unlink(outside) == 0)
        __atomic_add_fetch(&lost, 1, __ATOMIC_RELAXED);
    else
        must(errno == EPERM);
}

static int make(const char *name, int flags)
{
    int fd = open(name, O_WRONLY | O_CREAT | flags, 0644);
    return fd >= 0 && write(fd, name, 4) == 4 && close(fd) == 0;
}

static void on_signal(int number)
{
    (void)number;
    int kept = errno;
    /* Handlers of two threads may run at the same time. */
    char name[] = "handler-0000000000";
    int thread = gettid();
    for (char *digit = name + sizeof name - 2; thread; thread /= 10)
        *digit-- = '0' + thread % 10;
    try_outside();
    int fd = open(name, O_WRONLY | O_CREAT, 0644);
    must(fd >= 0 && close(fd) == 0 && unlink(name) == 0);
    __atomic_add_fetch(&handled, 1, __ATOMIC_RELAXED);
    errno = kept;
}

/* Creates, empties, renames, replaces and removes. */
static void *work(void *number)
{
    char first[32], second[32], folder[32];
    snprintf(first, sizeof first, "a%ld", (long)number);
    snprintf(second, sizeof second, "b%ld", (long)number);
    snprintf(folder, sizeof folder, "d%ld", (long)number);
    while (!stop) {
        free(malloc(1000));
        must(make(first, O_TRUNC) && make(second, 0));
        must(rename(first, second) == 0);
        must(truncate(second, 0) == 0);
        must(mkdir(folder, 0755) == 0 && rename(second, first) == 0 && rmdir(folder) == 0);
        must(unlink(first) == 0 && unlink(first) < 0 && errno == ENOENT);
    }
    must(make(first, 0));
    return NULL;
}

/* A child that removes; every other one is a program of its own, started from memory that it shares. */
static void child(int number)
{
    char name[32];
    snprintf(name, sizeof name, "c%d", number % 2);
    must(make(name, 0));
    pid_t process = number % 2 ? vfork() : fork();
    if (process == 0 && number % 2) {
        execl("/bin/rm", "rm", name, (char *)NULL);
        _exit(99);
    }
    if (process == 0) {
        int before = lost + wrong;
        try_outside();
        must(unlink(name) == 0);
        _exit(lost + wrong != before);
    }
    int status = -1;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    must(status == 0);
}

static void storm(int threads, int seconds)
{
    pthread_t thread[64];
    struct timespec began, now;
    clock_gettime(CLOCK_MONOTONIC, &began);
    signal(SIGALRM, on_signal);
    struct itimerval every = {{0, 5000}, {0, 5000}}, never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &every, NULL);
    for (long i = 0; i < threads; i++)
        pthread_create(&thread[i], NULL, work, (void *)i);
    int number = 0;
    do {
        child(number++);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (number < 2 || now.tv_sec - began.tv_sec < seconds);
    setitimer(ITIMER_REAL, &never, NULL);
    stop = 1;
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
}

int main(int argc, char **argv)
{
    if (argc != 6 || chdir(argv[1]) || atoi(argv[4]) > 64)
        return 2;
    outside = strcmp(argv[2], "-") ? argv[2] : NULL;
    int processes = atoi(argv[3]), results[2], total[3] = {0, 0, 0};
    if (pipe(results))
        return 1;
    for (int i = 0; i < processes; i++)
        if (fork() == 0) {
            char folder[32];
            snprintf(folder, sizeof folder, "p%d", i);
            if (mkdir(folder, 0755) || chdir(folder))
                _exit(1);
            storm(atoi(argv[4]), atoi(argv[5]));
            int counts[3] = {lost, wrong, handled};
            _exit(write(results[1], counts, sizeof counts) != sizeof counts);
        }
    close(results[1]);
    int counts[3], reported = 0;
    while (read(results[0], counts, sizeof counts) == sizeof counts) {
        reported++;
        for (int i = 0; i < 3; i++)
            total[i] += counts[i];
    }
    while (wait(NULL) > 0) {
    }
    printf("lost %d, wrong %d\n", total[0], total[1]);
    return reported == processes && total[2] > 0 ? 0 : 1;
}
