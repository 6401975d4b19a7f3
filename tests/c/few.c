/* As call.c, by what any machine's libc has, so that 32-bit machines can be tried as well: makes one call, and prints
 * `ok` or the errno's number.
 *
 *     few FUNCTION PATH [OTHER PATH]
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define IS(name) (!strcmp(function, name))

/* Writes three bytes where it can. */
static int used(int fd)
{
    if (fd < 0)
        return -1;
    int written = write(fd, "new", 3) == 3 ? 0 : -1;
    close(fd);
    return written;
}

static int call(const char *function, const char *path, const char *other)
{
    if (IS("unlink")) return unlink(path);
    if (IS("unlinkat")) return unlinkat(AT_FDCWD, path, 0);
    if (IS("remove")) return remove(path);
    if (IS("rename")) return rename(path, other);
    if (IS("renameat")) return renameat(AT_FDCWD, path, AT_FDCWD, other);
    if (IS("renameat2")) return syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, other, 0);
    if (IS("rename-over")) return rename(other, path);
    if (IS("truncate")) return truncate(path, 0);
    if (IS("truncate64")) return truncate64(path, 0);
    if (IS("open-truncate")) return used(open(path, O_WRONLY | O_TRUNC));
    if (IS("open-create")) return used(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644));
    if (IS("open-write")) return used(open(path, O_RDWR));
    if (IS("openat")) return used(openat(AT_FDCWD, path, O_WRONLY | O_TRUNC));
    if (IS("creat")) return used(creat(path, 0644));
#ifdef SYS_openat2
    if (IS("openat2")) {
        unsigned long long how[3] = {O_WRONLY | O_TRUNC, 0, 0};
        return used(syscall(SYS_openat2, AT_FDCWD, path, how, sizeof how));
    }
#endif
    if (IS("append-no-more")) {
        int fd = open(path, O_WRONLY | O_APPEND);
        return fd < 0 || fcntl(fd, F_SETFL, 0) < 0 ? -1 : used(fd);
    }
#ifdef SYS_io_uring_setup
    if (IS("ring")) return syscall(SYS_io_uring_setup, 1, NULL);
#endif
    errno = ENOSYS;
    return -1;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    if (call(argv[1], argv[2], argc > 3 ? argv[3] : NULL) < 0)
        printf("%d\n", errno);
    else
        puts("ok");
    return 0;
}
