/* Acts through a path while another thread turns it: `race TREE COUNT`.
 *
 * TREE/in/real is a directory and TREE/in/turn a link to ../out. One thread exchanges the two without end, so that
 * in/real/NAME is now inside and now TREE/out/NAME. The other removes, moves, replaces and empties what the path leads
 * to, COUNT times, and puts back what it took inside. Prints how often that was done, refused, or neither because the
 * name was not there. What was lost outside is for an onlooker to say.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMES 64
#define ACTS 8

static volatile int stop;
/* The directory inside, wherever it is called from. */
static int real;
static long turned;

static void *turn(void *unused)
{
    while (!stop) {
        if (renameat2(AT_FDCWD, "in/real", AT_FDCWD, "in/turn", RENAME_EXCHANGE))
            abort();
        turned++;
    }
    return unused;
}

/* Neither emptied first nor shortened to nothing nor replaced with content: some file systems then wait for the disk. */
static void make(int directory, const char *name, const char *content)
{
    int fd = openat(directory, name, O_CREAT | O_WRONLY, 0600);
    if (fd < 0 || write(fd, content, strlen(content)) < 0)
        abort();
    close(fd);
}

static int close_if_open(int fd)
{
    return fd < 0 ? -1 : close(fd);
}

static int act(int kind, const char *file, const char *directory)
{
    FILE *stream;
    switch (kind) {
    case 0: return unlink(file);
    case 1: return renameat(AT_FDCWD, file, real, "taken");
    case 2: return renameat(real, "spare", AT_FDCWD, file);
    case 3: return truncate(file, 1);
    case 4: return close_if_open(open(file, O_WRONLY | O_TRUNC));
    case 5: return close_if_open(open(file, O_RDWR));
    case 6: return rmdir(directory);
    case 7:
        stream = fopen(file, "w");
        return stream ? fclose(stream) : -1;
    default: abort();
    }
}

int main(int argc, char **argv)
{
    pthread_t thread;
    long done = 0, refused = 0, neither = 0;
    if (argc != 3 || chdir(argv[1]))
        return 2;
    long count = atol(argv[2]);
    real = open("in/real", O_RDONLY | O_DIRECTORY);
    if (real < 0 || pthread_create(&thread, NULL, turn, NULL))
        return 1;
    for (long i = 0; i < count; i++) {
        char name[32], directory[32], file_path[64], directory_path[64];
        sprintf(name, "f%ld", i / ACTS % NAMES);
        sprintf(directory, "d%ld", i / ACTS % NAMES);
        sprintf(file_path, "in/real/%s", name);
        sprintf(directory_path, "in/real/%s", directory);
        make(real, name, "old");
        make(real, "spare", "");
        unlinkat(real, "taken", 0);
        mkdirat(real, directory, 0700);
        if (act(i % ACTS, file_path, directory_path) == 0)
            done++;
        else if (errno == EPERM)
            refused++;
        else
            neither++;
    }
    stop = 1;
    pthread_join(thread, NULL);
    printf("done %ld, refused %ld, neither %ld, turned %ld\n", done, refused, neither, turned);
    return 0;
}
