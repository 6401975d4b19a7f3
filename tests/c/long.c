/* Many operations in one process: `long DIRECTORY OUTSIDE COUNT`. Prints how much memory and how many descriptors
 * the process has gained since the first hundredth of them, and how many ended otherwise than they must. OUTSIDE is a
 * file that no call may touch. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* In KiB. Other figures of the kernel are kept by the task, and lag behind. */
static long resident(void)
{
    char line[256];
    long size = -1;
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    while (file && size < 0 && fgets(line, sizeof line, file))
        sscanf(line, "Rss: %ld", &size);
    if (size < 0)
        abort();
    fclose(file);
    return size;
}

static int descriptors(void)
{
    int count = 0;
    DIR *directory = opendir("/proc/self/fd");
    if (!directory)
        abort();
    while (readdir(directory))
        count++;
    closedir(directory);
    return count;
}

static int is_written(int fd)
{
    int written = fd >= 0 && write(fd, "x", 1) == 1;
    close(fd);
    return written;
}

static int is_refused(int result)
{
    return result < 0 && errno == EPERM;
}

static int is_child_well(const char *outside)
{
    int status = -1;
    pid_t child = vfork();
    if (child == 0) {
        execl("/bin/rm", "rm", "-f", outside, (char *)NULL);
        _exit(99);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

/* One of each kind, six that are done and five that are refused. */
static int once(const char *outside)
{
    FILE *stream;
    return is_written(open("a", O_CREAT | O_WRONLY | O_TRUNC, 0600)) &&
           (stream = fopen("b", "w")) && !fclose(stream) && !rename("a", "b") && !truncate("b", 0) &&
           is_written(open("b", O_WRONLY)) && !unlink("b") && is_refused(unlink(outside)) &&
           is_refused(rename(outside, "b")) && is_refused(truncate(outside, 0)) &&
           is_refused(open(outside, O_WRONLY | O_TRUNC)) && !(stream = fopen(outside, "w"));
}

int main(int argc, char **argv)
{
    enum { KINDS = 11, RARELY = 10000 };
    if (argc != 4 || chdir(argv[1]))
        return 2;
    long count = atol(argv[3]) / KINDS, wrong = 0, memory = 0;
    int open_files = 0;
    for (long i = 0; i < count; i++) {
        if (i == count / 100) {
            /* The first look brings in what looking takes. */
            resident();
            open_files = descriptors();
            memory = resident();
            open_files = descriptors();
        }
        wrong += !once(argv[2]);
        if (i % RARELY == 0)
            wrong += !is_child_well(argv[2]);
    }
    printf("resident %+ld KiB, descriptors %+d, wrong %ld\n", resident() - memory, descriptors() - open_files, wrong);
    return 0;
}
