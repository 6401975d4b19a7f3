/* Makes one call of libc, given by the arguments, and prints what came of it: `ok`, or the errno's number.
 *
 *     call [-C DIRECTORY] [-d DIRECTORY] [-p DIRECTORY] [-r DIRECTORY] [-s ERRNO] [-c] [-f] [-e] FUNCTION ARGUMENT...
 *
 * -C changes the working directory first, -d opens the dirfd of at-functions, -p does so with O_PATH, -r changes the
 * root, -s has the kernel answer openat2 with an error, -c closes standard input and error, -f takes every descriptor,
 * -e first sets errno to 77, and reports a call that succeeds and changes it. Flags of open are letters: r w + for the access mode, then
 * c(reate) t(runcate) a(ppend) x (exclusive) n(ofollow) p(ath) d(irectory) T (O_TMPFILE). A FUNCTION that begins
 * with `number-` is called by syscall().
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
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

/* The number by which the library tells the kernel layer that it has judged a call; 0 where that layer is not on. */
static long session_number(void)
{
    const char *policy = getenv("BLASTRADIUS_POLICY");
    const char *record = policy ? strstr(policy, "y16:") : NULL;
    char digits[17] = "0";
    if (record)
        memcpy(digits, record + 4, 16);
    return strtoull(digits, NULL, 16);
}

/* Opens by the instruction itself, which nobody judges. */
static int raw_open(const char *path, int flags)
{
    long result;
    /* Before the registers are filled: a call may change them. */
    long session = session_number();
#ifdef __x86_64__
    register long mode __asm__("r10") = 0;
    register long unused __asm__("r8") = 0;
    register long number __asm__("r9") = session;
    __asm__ volatile("syscall\n\txor %%r9d, %%r9d" : "=a"(result), "+r"(number)
                     : "a"(SYS_openat), "D"((long)AT_FDCWD), "S"(path), "d"((long)flags), "r"(mode), "r"(unused)
                     : "rcx", "r11", "memory");
#else
    register long number __asm__("x8") = SYS_openat;
    register long first __asm__("x0") = AT_FDCWD;
    register const char *second __asm__("x1") = path;
    register long third __asm__("x2") = flags, fourth __asm__("x3") = 0;
    register long fifth __asm__("x4") = 0, sixth __asm__("x5") = session;
    __asm__ volatile("svc 0\n\tmov x5, xzr"
                     : "+r"(first), "+r"(sixth)
                     : "r"(number), "r"(second), "r"(third), "r"(fourth), "r"(fifth)
                     : "memory");
    result = first;
#endif
    return (int)result;
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

/* Not all of these are declared by musl. A static program gets what it asks for by a strong name alone. */
#ifdef STATIC
#define OPTIONAL
#else
#define OPTIONAL __attribute__((weak))
#endif
extern int renameat2(int, const char *, int, const char *, unsigned) OPTIONAL;
extern int __open_2(const char *, int) OPTIONAL;
extern int __open64_2(const char *, int) OPTIONAL;
extern int __openat_2(int, const char *, int) OPTIONAL;
extern int __openat64_2(int, const char *, int) OPTIONAL;
extern int __open(const char *, int, ...) OPTIONAL;
extern int __open64(const char *, int, ...) OPTIONAL;
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

#define IS(name) (!strcmp(f, name))

struct how {
    uint64_t flags, mode, resolve, later[13];
};

/* openat2 has no function yet where this is compiled. */
extern int openat2(int, const char *, const struct how *, size_t) __attribute__((weak));

static struct how how_of(char **a)
{
    struct how how = {.flags = open_flags(a[2])};
    how.mode = how.flags & O_CREAT ? 0644 : 0;
    how.resolve = a[3] ? strtoul(a[3], NULL, 0) : 0;
    return how;
}

/* A file by its handle, as a server of files opens it. */
static int open_handle(char **a, int by_number)
{
    union {
        struct file_handle handle;
        char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
    } place;
    int mount;
    place.handle.handle_bytes = MAX_HANDLE_SZ;
    if (name_to_handle_at(AT_FDCWD, a[1], &place.handle, &mount, 0))
        return -1;
    int flags = open_flags(a[2]), directory = raw_open(".", O_RDONLY | O_DIRECTORY);
    return used(by_number ? syscall(SYS_open_by_handle_at, directory, &place.handle, flags)
                          : open_by_handle_at(directory, &place.handle, flags));
}

static int call_by_number(const char *f, char **a)
{
    int d = dirfd_argument;
    if (IS("unlinkat")) return syscall(SYS_unlinkat, d, a[1], 0);
    if (IS("unlinkat-directory")) return syscall(SYS_unlinkat, d, a[1], AT_REMOVEDIR);
    if (IS("unlinkat-null")) return syscall(SYS_unlinkat, d, NULL, 0);
    /* The kernel reads the lower half of a number. */
    if (IS("unlinkat-high")) return syscall(SYS_unlinkat | (long)1 << 32, d, a[1], 0);
    if (IS("renameat2")) return syscall(SYS_renameat2, d, a[1], d, a[2], 0);
    if (IS("rename-noreplace")) return syscall(SYS_renameat2, d, a[1], d, a[2], 1);
    if (IS("renameat")) return syscall(SYS_renameat, d, a[1], d, a[2]);
    if (IS("openat")) return used(syscall(SYS_openat, d, a[1], open_flags(a[2]), 0644));
    if (IS("openat2")) {
        struct how how = how_of(a);
        return used(syscall(SYS_openat2, d, a[1], &how, 24));
    }
    if (IS("openat2-later")) {
        struct how how = how_of(a);
        how.later[0] = 1;
        return used(syscall(SYS_openat2, d, a[1], &how, 32));
    }
    if (IS("openat2-small")) {
        struct how how = how_of(a);
        return used(syscall(SYS_openat2, d, a[1], &how, 16));
    }
    if (IS("openat2-wild")) return used(syscall(SYS_openat2, d, a[1], (void *)0x1000, 24));
    if (IS("openat2-function")) {
        struct how how = how_of(a);
        return used(openat2(d, a[1], &how, 24));
    }
    if (IS("open_by_handle_at")) return open_handle(a, 1);
    if (IS("truncate")) return syscall(SYS_truncate, a[1], atol(a[2]));
    if (IS("ftruncate")) return syscall(SYS_ftruncate, raw_open(a[1], O_RDWR), atol(a[2]));
    if (IS("fallocate"))
        return syscall(SYS_fallocate, raw_open(a[1], O_WRONLY | O_APPEND), atoi(a[2]), 0L, 2L);
    if (IS("linkat")) return syscall(SYS_linkat, d, a[1], d, a[2], 0);
    if (IS("symlinkat")) return syscall(SYS_symlinkat, a[1], d, a[2]);
    if (IS("fcntl")) {
        int fd = raw_open(a[1], O_WRONLY | O_APPEND);
        return syscall(SYS_fcntl, fd, F_SETFL, 0) ? -1 : used(fd);
    }
#ifdef SYS_unlink
    if (IS("unlink")) return syscall(SYS_unlink, a[1]);
    if (IS("rmdir")) return syscall(SYS_rmdir, a[1]);
    if (IS("rename")) return syscall(SYS_rename, a[1], a[2]);
    if (IS("open")) return used(syscall(SYS_open, a[1], open_flags(a[2]), 0644));
    if (IS("creat")) return used(syscall(SYS_creat, a[1], 0644));
    if (IS("link")) return syscall(SYS_link, a[1], a[2]);
    if (IS("symlink")) return syscall(SYS_symlink, a[1], a[2]);
#endif
    if (IS("io_uring_setup")) return syscall(SYS_io_uring_setup, 1, NULL);
    if (IS("none")) return syscall(100000);
    if (IS("getpid")) return syscall(SYS_getpid) == getpid() ? 0 : -1;
    /* Six arguments, the last of which lies on the stack. */
    if (IS("mmap")) {
        int fd = raw_open(a[1], O_RDONLY);
        char *there = (char *)syscall(SYS_mmap, NULL, 1, PROT_READ, MAP_PRIVATE, fd, (off_t)atol(a[2]));
        return there == MAP_FAILED || *there != *a[3] ? -1 : 0;
    }
    if (IS("fork")) {
        int status;
        pid_t child = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
        if (child == 0)
            _exit(7);
        return waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7 ? 0 : -1;
    }
    fprintf(stderr, "call: no such number: %s\n", f);
    exit(2);
}

extern FILE *_IO_fopen(const char *, const char *) OPTIONAL;
extern int __fcntl(int, int, ...) OPTIONAL;
extern int fcntl64(int, int, ...) OPTIONAL;

static int call(char **a)
{
    const char *f = a[0];
    if (!strncmp(f, "number-", 7))
        return call_by_number(f + 7, a);
    if (IS("unlink")) return unlink(a[1]);
    if (IS("unlink-null")) return unlink((const char *)(unsigned long)atol("0"));
    if (IS("rename-wild")) return rename((const char *)0x1000, a[1]);
    if (IS("rename-to-wild")) return rename(a[1], (const char *)0x1000);
    if (IS("open-wild")) return used(open((const char *)0x1000, O_WRONLY | O_TRUNC));
    if (IS("open-create-wild")) return used(open((const char *)0x1000, O_WRONLY | O_CREAT, 0644));
    if (IS("truncate-wild")) return truncate((const char *)0x1000, 0);
    if (IS("rmdir-wild")) return rmdir((const char *)0x1000);
    if (IS("remove-wild")) return remove((const char *)0x1000);
    if (IS("link-wild")) return link((const char *)0x1000, a[1]);
    if (IS("link-to-wild")) return link(a[1], (const char *)0x1000);
    if (IS("bad-dirfd")) return unlinkat(1000, a[1], 0);
    if (IS("file-dirfd")) return unlinkat(raw_open(a[1], O_RDONLY), "x", 0);
    if (IS("openat-bad-dirfd")) return used(openat(1000, a[1], O_WRONLY | O_TRUNC));
    if (IS("ftruncate-bad")) return ftruncate(1000, 0);
    if (IS("ftruncate-read-only")) return ftruncate(raw_open(a[1], O_RDONLY), 0);
    if (IS("fallocate-bad")) return fallocate(1000, 3, 0, 1);
    if (IS("renameat2-flags")) return renameat2(AT_FDCWD, a[1], AT_FDCWD, a[2], 0x40);
    if (IS("renameat2-both")) return renameat2(AT_FDCWD, a[1], AT_FDCWD, a[2], 3);
    if (IS("rename-whiteout")) return renameat2(AT_FDCWD, a[1], AT_FDCWD, a[2], 4);
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
    if (IS("open_by_handle_at")) return open_handle(a, 0);
    if (IS("link")) return link(a[1], a[2]);
    if (IS("linkat")) return linkat(dirfd_argument, a[1], dirfd_argument, a[2], 0);
    if (IS("linkat-follow")) return linkat(AT_FDCWD, a[1], AT_FDCWD, a[2], AT_SYMLINK_FOLLOW);
    if (IS("linkat-descriptor")) {
        char path[64];
        snprintf(path, sizeof path, "/proc/self/fd/%d", raw_open(a[1], O_PATH));
        return linkat(AT_FDCWD, path, AT_FDCWD, a[2], AT_SYMLINK_FOLLOW);
    }
    if (IS("linkat-empty")) return linkat(raw_open(a[1], O_PATH), "", AT_FDCWD, a[2], AT_EMPTY_PATH);
    if (IS("symlink")) return symlink(a[1], a[2]);
    if (IS("symlinkat")) return symlinkat(a[1], dirfd_argument, a[2]);
    if (IS("symlink-wild")) return symlink((char *)0x1000, a[1]);
    /* A descriptor that only appends is told to write where it stands. */
    if (IS("fcntl") || IS("fcntl64") || IS("__fcntl")) {
        int (*function)(int, int, ...) = IS("fcntl") ? fcntl : IS("fcntl64") ? fcntl64 : __fcntl;
        int fd = raw_open(a[1], O_WRONLY | O_APPEND);
        return function(fd, F_SETFL, 0) ? -1 : used(fd);
    }
    if (IS("fcntl-keep")) {
        int fd = open(a[1], O_WRONLY | O_APPEND);
        return fcntl(fd, F_SETFL, O_APPEND | O_NONBLOCK) ? -1 : used(fd);
    }
    if (IS("fcntl-commands")) {
        int fd = open(a[1], O_RDONLY), copy = fcntl(fd, F_DUPFD_CLOEXEC, 50);
        struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
        if (copy < 50 || fcntl(copy, F_GETFD) != FD_CLOEXEC || fcntl(copy, F_SETLK, &lock))
            return -1;
        return fcntl(copy, F_SETFL, O_NONBLOCK);
    }
    if (IS("fcntl-bad")) return fcntl(1000, F_SETFL, 0);
    if (IS("shm_open")) return used(shm_open(a[1], open_flags(a[2]), 0600));
    if (IS("shm_unlink")) return shm_unlink(a[1]);
    if (IS("sem_open")) return sem_open(a[1], O_CREAT | O_EXCL, 0600, 0) == SEM_FAILED ? -1 : 0;
    if (IS("sem_unlink")) return sem_unlink(a[1]);
    if (IS("_IO_fopen")) return used_stream(_IO_fopen(a[1], a[2]));
    if (IS("creat")) return used(creat(a[1], 0644));
    if (IS("creat64")) return used(creat64(a[1], 0644));
    if (IS("fopen")) return used_stream(fopen(a[1], a[2]));
    if (IS("fopen-tell")) {
        FILE *stream = fopen(a[1], a[2]);
        return stream && ftell(stream) == atol(a[3]) ? 0 : -1;
    }
    if (IS("setmntent")) return used_stream(setmntent(a[1], a[2]));
    if (IS("fopen64")) return used_stream(fopen64(a[1], a[2]));
    if (IS("freopen")) return used_stream(freopen(a[1], a[2], stdin));
    if (IS("freopen64")) return used_stream(freopen64(a[1], a[2], stdin));
    if (IS("freopen-same")) {
        FILE *stream = fopen(a[1], "r");
        return stream ? used_stream(freopen(NULL, a[2], stream)) : -1;
    }
    /* By the name that the kernel gives a descriptor, which itself can neither read nor write. */
    if (IS("reopen") || IS("truncate-reopened")) {
        char path[64];
        snprintf(path, sizeof path, "/proc/self/fd/%d", raw_open(a[1], O_PATH));
        return IS("reopen") ? used(open(path, open_flags(a[2]))) : truncate(path, 0);
    }
    if (IS("truncate")) return truncate(a[1], atol(a[2]));
    if (IS("truncate64")) return truncate64(a[1], atol(a[2]));
    /* The descriptor comes from the kernel: what is judged is the truncation. */
    if (IS("ftruncate"))
        return ftruncate(raw_open(a[1], O_RDWR), atol(a[2]));
    if (IS("ftruncate64"))
        return ftruncate64(raw_open(a[1], O_RDWR), atol(a[2]));
    /* A descriptor that only appends. */
    if (IS("fallocate"))
        return fallocate(raw_open(a[1], O_WRONLY | O_APPEND), atoi(a[2]), 0, 2);
    /* Opened by a child of posix_spawn. */
    if (IS("addopen")) {
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        /* The list changes to one directory after another first. */
        for (int i = 3; a[i]; i++) {
            int by_descriptor = !strcmp(a[i], "@");
            i += by_descriptor;
            if (by_descriptor ? posix_spawn_file_actions_addfchdir_np(&actions, raw_open(a[i], O_PATH))
                              : posix_spawn_file_actions_addchdir_np(&actions, a[i]))
                return -1;
        }
        errno = posix_spawn_file_actions_addopen(&actions, 1, a[1], open_flags(a[2]), 0644);
        if (errno)
            return -1;
        char *argv[] = {"true", NULL};
        pid_t child;
        int status;
        if (posix_spawn(&child, "/bin/true", &actions, NULL, argv, environ))
            return -1;
        posix_spawn_file_actions_destroy(&actions);
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

static void forbid_openat2(int error)
{
    /* musl-gcc finds no headers of the kernel. Loads the number, compares, and returns one of two answers. */
    struct {
        unsigned short code;
        unsigned char if_equal, if_not;
        unsigned value;
    } filter[] = {
        {0x20, 0, 0, 0},
        {0x15, 0, 1, SYS_openat2},
        {0x06, 0, 0, 0x00050000 | error},
        {0x06, 0, 0, 0x7fff0000},
    };
    struct {
        unsigned short length;
        void *filter;
    } program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, 2, &program))
        exit(3);
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
        case 'p':
            dirfd_argument = open(argv[++at], O_PATH | O_DIRECTORY);
            if (dirfd_argument < 0)
                return 3;
            break;
        case 'r':
            if (chroot(argv[++at]) || chdir("/"))
                return 3;
            break;
        case 's':
            forbid_openat2(atoi(argv[++at]));
            break;
        case 'c':
            close(0);
            close(2);
            break;
        case 'f':
            while (dup(1) >= 0) {
            }
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
