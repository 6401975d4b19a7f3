/* Threads, signals and forks, all of them removing files, for a moment: `storm INSIDE OUTSIDE`. Prints how many
 * files outside were lost; a hang or a crash shows in how it ends. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *outside;
static char own[64][4096];
static volatile int stop;
static int lost, wrong;

static void on_signal(int number)
{
    (void)number;
    int kept = errno;
    if (unlink(outside) == 0)
        lost++;
    else if (errno != EPERM)
        wrong++;
    errno = kept;
}

static void *work(void *name)
{
    while (!stop) {
        free(malloc(1000));
        close(open(name, O_WRONLY | O_CREAT, 0644));
        if (unlink(name))
            wrong++;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[4];
    if (argc != 3)
        return 2;
    outside = argv[2];
    signal(SIGALRM, on_signal);
    for (int i = 0; i < 5; i++)
        snprintf(own[i], sizeof own[i], "%s/%d", argv[1], i);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, own[i]);
    struct itimerval every = {{0, 1000}, {0, 1000}};
    setitimer(ITIMER_REAL, &every, NULL);
    for (int i = 0; i < 100; i++) {
        pid_t child = fork();
        if (child == 0) {
            int refused = unlink(outside) < 0 && errno == EPERM;
            close(open(own[4], O_WRONLY | O_CREAT, 0644));
            _exit(!(refused && unlink(own[4]) == 0));
        }
        int status;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        if (status)
            wrong++;
    }
    stop = 1;
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("lost %d, wrong %d\n", lost, wrong);
    return 0;
}
