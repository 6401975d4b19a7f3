/* Makes one call of libc, given by the arguments, and prints what came of it: `ok`, or the errno's number.
 *
 *     call [-C DIRECTORY] [-d DIRECTORY] [-e] FUNCTION ARGUMENT...
 *
 * -C changes the working directory first, -d opens the dirfd of at-functions, -e first sets errno to 77, and
 * reports a call that succeeds and changes it. Flags of open are letters: r w + for the access mode, then
 * c(reate) t(runcate) a(ppend) x (exclusive) n(ofollow) p(ath) d(irectory) T (O_TMPFILE).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define UNTOUCHED 77

static int dirfd_argument = AT_FDCWD;

static int open_flags(const char *letters)
{
    int flags = 0;
    for (; *letters; letters++)
        switch (*letters) {
        case 'r': flags |= O_RDONLY; break;
        case 'w': flags |= O_WRONLY; break;
        case '+': flags |= O_RDWR; break;
        case 'c': flags |= O_CREAT; break;
        case 't': flags |= O_TRUNC; break;
        case 'a': flags |= O_APPEND; break;
        case 'x': flags |= O_EXCL; break;
        case 'n': flags |= O_NOFOLLOW; break;
        case 'p': flags |= O_PATH; break;
        case 'd': flags |= O_DIRECTORY; break;
        case 'T': flags |= O_TMPFILE; break;
        default: abort();
        }
    return flags;
}

/* Writes three bytes where it can, so that an allowed open is seen on the disk. */
static int used(int fd)
{
    int kept = errno;
    if (fd >= 0) {
        if (write(fd, "new", 3) < 0) {
        }
        close(fd);
        errno = kept;
        return 0;
    }
    return fd;
}

static int used_stream(FILE *stream)
{
    int kept = errno;
    if (!stream)
        return -1;
    fputs("new", stream);
    fclose(stream);
    errno = kept;
    return 0;
}

/* Not all of these are declared by musl. */
extern int renameat2(int, const char *, int, const char *, unsigned) __attribute__((weak));
extern int __open_2(const char *, int) __attribute__((weak));
extern int __open64_2(const char *, int) __attribute__((weak));
extern int __openat_2(int, const char *, int) __attribute__((weak));
extern int __openat64_2(int, const char *, int) __attribute__((weak));
extern int __open(const char *, int, ...) __attribute__((weak));
extern int __open64(const char *, int, ...) __attribute__((weak));
#ifndef __GLIBC__
#undef open64
#undef openat64
#undef creat64
#undef truncate64
#undef ftruncate64
#undef fopen64
#undef freopen64
extern int open64(const char *, int, ...);
extern int openat64(int, const char *, int, ...);
extern int creat64(const char *, mode_t);
extern int truncate64(const char *, off_t);
extern int ftruncate64(int, off_t);
extern FILE *fopen64(const char *, const char *);
extern FILE *freopen64(const char *, const char *, FILE *);
#endif

static int call(char **a)
{
    const char *f = a[0];
#define IS(name) (!strcmp(f, name))
    if (IS("unlink")) return unlink(a[1]);
    if (IS("unlink-null")) return unlink((const char *)(unsigned long)atol("0"));
    if (IS("unlink-wild")) return unlink((const char *)0x1000);
    if (IS("rmdir")) return rmdir(a[1]);
    if (IS("remove")) return remove(a[1]);
    if (IS("unlinkat")) return unlinkat(dirfd_argument, a[1], 0);
    if (IS("unlinkat-directory")) return unlinkat(dirfd_argument, a[1], AT_REMOVEDIR);
    if (IS("unlinkat-flags")) return unlinkat(dirfd_argument, a[1], 0x4000);
    if (IS("rename")) return rename(a[1], a[2]);
    if (IS("renameat")) return renameat(dirfd_argument, a[1], dirfd_argument, a[2]);
    if (IS("renameat2")) return renameat2(AT_FDCWD, a[1], AT_FDCWD, a[2], 0);
    if (IS("rename-noreplace")) return renameat2(AT_FDCWD, a[1], AT_FDCWD, a[2], 1);
    if (IS("rename-exchange")) return renameat2(AT_FDCWD, a[1], AT_FDCWD, a[2], 2);
    if (IS("open")) return used(open(a[1], open_flags(a[2]), 0644));
    if (IS("open64")) return used(open64(a[1], open_flags(a[2]), 0644));
    if (IS("__open")) return used(__open(a[1], open_flags(a[2]), 0644));
    if (IS("__open64")) return used(__open64(a[1], open_flags(a[2]), 0644));
    if (IS("openat")) return used(openat(dirfd_argument, a[1], open_flags(a[2]), 0644));
    if (IS("openat64")) return used(openat64(dirfd_argument, a[1], open_flags(a[2]), 0644));
    if (IS("__open_2")) return used(__open_2(a[1], open_flags(a[2])));
    if (IS("__open64_2")) return used(__open64_2(a[1], open_flags(a[2])));
    if (IS("__openat_2")) return used(__openat_2(dirfd_argument, a[1], open_flags(a[2])));
    if (IS("__openat64_2")) return used(__openat64_2(dirfd_argument, a[1], open_flags(a[2])));
    if (IS("open-mode")) {
        umask(0);
        return used(open(a[1], open_flags(a[2]), strtol(a[3], NULL, 8)));
    }
    if (IS("creat")) return used(creat(a[1], 0644));
    if (IS("creat64")) return used(creat64(a[1], 0644));
    if (IS("fopen")) return used_stream(fopen(a[1], a[2]));
    if (IS("fopen64")) return used_stream(fopen64(a[1], a[2]));
    if (IS("freopen")) return used_stream(freopen(a[1], a[2], stdin));
    if (IS("freopen64")) return used_stream(freopen64(a[1], a[2], stdin));
    if (IS("freopen-same")) {
        FILE *stream = fopen(a[1], "r");
        return stream ? used_stream(freopen(NULL, a[2], stream)) : -1;
    }
    if (IS("truncate")) return truncate(a[1], atol(a[2]));
    if (IS("truncate64")) return truncate64(a[1], atol(a[2]));
    /* The descriptor comes from the kernel: what is judged is the truncation. */
    if (IS("ftruncate"))
        return ftruncate(syscall(SYS_openat, AT_FDCWD, a[1], O_RDWR), atol(a[2]));
    if (IS("ftruncate64"))
        return ftruncate64(syscall(SYS_openat, AT_FDCWD, a[1], O_RDWR), atol(a[2]));
    /* A descriptor that only appends. */
    if (IS("fallocate"))
        return fallocate(syscall(SYS_openat, AT_FDCWD, a[1], O_WRONLY | O_APPEND), atoi(a[2]), 0, 2);
    /* Opened by a child of posix_spawn. */
    if (IS("addopen")) {
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        errno = posix_spawn_file_actions_addopen(&actions, 1, a[1], open_flags(a[2]), 0644);
        if (errno)
            return -1;
        char *argv[] = {"true", NULL};
        pid_t child;
        int status;
        if (posix_spawn(&child, "/bin/true", &actions, NULL, argv, environ))
            return -1;
        waitpid(child, &status, 0);
        return 0;
    }
    /* Born as soon as the program runs. */
    if (IS("create-unlink-at-once")) {
        close(open(a[1], O_WRONLY | O_CREAT | O_EXCL, 0644));
        return unlink(a[1]);
    }
    /* Born in this session, then lost in it. */
    if (IS("create-unlink")) {
        usleep(20000);
        close(open(a[1], O_WRONLY | O_CREAT | O_EXCL, 0644));
        return unlink(a[1]);
    }
    if (IS("create-rewrite")) {
        usleep(20000);
        int fd = open(a[1], O_WRONLY | O_CREAT | O_EXCL, 0644);
        if (write(fd, "old", 3) < 0)
            return -1;
        close(fd);
        return used(open(a[1], O_WRONLY | O_TRUNC));
    }
    /* Every descriptor is taken. */
    if (IS("unlink-without-descriptors")) {
        while (dup(1) >= 0) {
        }
        errno = 0;
        return unlink(a[1]);
    }
    if (IS("deep-unlink")) {
        /* A directory whose path the kernel cannot say. */
        char name[201];
        memset(name, 'd', 200);
        name[200] = 0;
        if (chdir(a[1]))
            return -1;
        for (int i = 0; i < 30; i++)
            if ((mkdir(name, 0755) && errno != EEXIST) || chdir(name))
                return -1;
        close(open("leaf", O_WRONLY | O_CREAT, 0644));
        return unlink("leaf");
    }
    /* The variables are the program's to write to. */
    if (IS("scribble")) {
        for (char **entry = environ; *entry; entry++)
            memset(*entry, 'x', strlen(*entry));
        return unlink(a[1]);
    }
    if (IS("deleted-cwd")) {
        usleep(20000);
        if (mkdir(a[1], 0755) || chdir(a[1]) || rmdir(a[1]))
            return -1;
        return unlink("nothing");
    }
    fprintf(stderr, "call: no such function: %s\n", f);
    exit(2);
}

int main(int argc, char **argv)
{
    int at = 1, check_errno = 0;
    for (; at < argc && argv[at][0] == '-' && argv[at][1]; at++) {
        switch (argv[at][1]) {
        case 'C':
            if (chdir(argv[++at]))
                return 3;
            break;
        case 'd':
            dirfd_argument = open(argv[++at], O_RDONLY | O_DIRECTORY);
            if (dirfd_argument < 0)
                return 3;
            break;
        case 'e':
            check_errno = 1;
            break;
        }
    }
    if (at == argc)
        return 2;
    errno = check_errno ? UNTOUCHED : 0;
    if (call(argv + at) < 0)
        printf("%d\n", errno);
    else if (check_errno && errno != UNTOUCHED)
        printf("errno changed to %d\n", errno);
    else
        printf("ok\n");
    return 0;
}
