/* Removes, empties and opens by a path whose bytes another thread changes meanwhile: `flip INSIDE OUTSIDE COUNT`.
 *
 * Both paths are of one length. Prints how often it was done and how often refused; what was lost outside is for an
 * onlooker to say.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[4096];
static const char *inside, *outside;
static volatile int stop;

static void *flip(void *unused)
{
    size_t length = strlen(inside);
    while (!stop) {
        memcpy(path, outside, length);
        memcpy(path, inside, length);
    }
    return unused;
}

static void make(void)
{
    int fd = open(inside, O_CREAT | O_WRONLY, 0600);
    if (fd < 0 || write(fd, "new", 3) < 0)
        abort();
    close(fd);
}

int main(int argc, char **argv)
{
    long done = 0, refused = 0;
    pthread_t thread;
    if (argc != 4 || strlen(argv[1]) != strlen(argv[2]))
        return 3;
    inside = argv[1];
    outside = argv[2];
    strcpy(path, inside);
    if (pthread_create(&thread, NULL, flip, NULL))
        return 3;
    for (long n = atol(argv[3]); n; n--) {
        int failed, fd;
        make();
        switch (n % 3) {
        case 0: failed = unlink(path); break;
        case 1: failed = truncate(path, 0); break;
        default:
            fd = open(path, O_WRONLY | O_TRUNC);
            failed = fd < 0;
            if (fd >= 0)
                close(fd);
        }
        done += !failed;
        refused += failed && errno == EPERM;
    }
    stop = 1;
    pthread_join(thread, NULL);
    printf("done %ld, refused %ld\n", done, refused);
    return 0;
}
