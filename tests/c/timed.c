/* Times one call of libc, made on many files: `timed WHAT COUNT DIRECTORY` makes the files and prints the nanoseconds
 * that the calls took, or for `heap` by how many bytes one call of each kind has made the heap grow. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void name(char *to, int number)
{
    sprintf(to, "f%d", number);
}

static void make(int number)
{
    char file[32];
    name(file, number);
    int fd = open(file, O_CREAT | O_WRONLY | O_EXCL, 0600);
    if (fd < 0 || write(fd, "x", 1) != 1)
        exit(1);
    close(fd);
}

static void unlinks(int count)
{
    char file[32];
    for (int i = 0; i < count; i++) {
        name(file, i);
        if (unlink(file))
            exit(1);
    }
}

/* One file again and again, so that the disk has no part in it. */
static void opens(int count, int flags)
{
    for (int i = 0; i < count; i++) {
        int fd = open("f0", flags);
        if (fd < 0)
            exit(1);
        close(fd);
    }
}

static long heap(void)
{
    char *before = sbrk(0);
    /* The last one fails, guarded or not: that is the slow path. */
    if (unlink("f0") || rename("f1", "f2") || truncate("f2", 0) || open("f3", O_WRONLY | O_TRUNC) < 0 || !rmdir("/"))
        exit(1);
    return (char *)sbrk(0) - before;
}

int main(int argc, char **argv)
{
    struct timespec a, b;
    if (argc != 4 || chdir(argv[3]))
        return 2;
    int count = atoi(argv[2]);
    int all = !strcmp(argv[1], "unlink");
    for (int i = 0; i < (all ? count : 4); i++)
        make(i);
    if (!strcmp(argv[1], "heap")) {
        printf("%ld\n", heap());
        return 0;
    }
    clock_gettime(CLOCK_MONOTONIC, &a);
    if (all)
        unlinks(count);
    else
        opens(count, !strcmp(argv[1], "read") ? O_RDONLY : O_WRONLY);
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%lld\n", (b.tv_sec - a.tv_sec) * 1000000000LL + b.tv_nsec - a.tv_nsec);
    return 0;
}
