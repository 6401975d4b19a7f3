/*
 * The functions of libSystem that take variable arguments, which lie on the stack on Apple's arm64, and those
 * whose names Rust cannot spell. Each takes its arguments apart and calls a Rust function of fixed arity.
 *
 * Nothing of Apple's is included, so that any clang compiles this. What older systems do not have is imported
 * weakly: the loader passes over a pair whose second part is null.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From <fcntl.h>. */
enum { AT_FDCWD = -2, O_CREAT = 0x200 };

/* A pair of pointers where the loader looks for them. */
#define INTERPOSE(original)                                                                         \
    static const struct {                                                                           \
        const void *replacement, *original;                                                         \
    } pair_##original __attribute__((used, section("__DATA,__interpose,interposing"))) = {          \
        (const void *)shim_##original, (const void *)original}

#define WEAK __attribute__((weak_import))

/* The Rust side refers to it, so that the library cannot be linked without this file. */
const char blastradius_shim = 1;

/* macos/files.rs */
extern int blastradius_open(int dirfd, const char *path, int flags, const void *call,
                            int (*again)(const void *call, int flags));
extern int blastradius_judge_open(const char *path, int flags);
extern int blastradius_judge_fcntl(int fd, int command, uintptr_t argument);
extern void *blastradius_fopen(const char *path, const char *mode);
/* macos/names.rs */
extern int blastradius_renamex_np(const char *from, const char *to, unsigned flags);
/* macos/copies.rs */
extern int blastradius_judge_removal(int dirfd, const char *path, unsigned flags);
/* macos/programs.rs */
extern int blastradius_execve(const char *path, const char *const *argv, const char *const *envp);
extern int blastradius_execv(const char *path, const char *const *argv);
extern int blastradius_execvp(const char *file, const char *const *argv);
extern void *blastradius_popen(const char *command, const char *mode);
/* macos/numbers.rs */
extern bool blastradius_syscall(int number, const uintptr_t arguments[8], int *answer);

/* The mode of a new file, which is passed only where there can be one. */
#define READ_MODE(mode, flags, last)   \
    int mode = 0;                      \
    if ((flags) & O_CREAT) {           \
        va_list list;                  \
        va_start(list, last);          \
        mode = va_arg(list, int);      \
        va_end(list);                  \
    }

/* The arguments of a function that opens a path, but for the flags. */
struct opening {
    int dirfd;
    const char *path;
    int mode, class, protection;
};

extern int open(const char *path, int flags, ...);
extern int openat(int dirfd, const char *path, int flags, ...);
extern int open_nocancel(const char *path, int flags, ...) __asm("_open$NOCANCEL");
extern int openat_nocancel(int dirfd, const char *path, int flags, ...) __asm("_openat$NOCANCEL");
extern int open_dprotected_np(const char *path, int flags, int class, int protection, ...) WEAK;
extern int openat_dprotected_np(int dirfd, const char *path, int flags, int class, int protection, ...) WEAK;

static int again_open(const void *call, int flags) {
    const struct opening *of = call;
    return open(of->path, flags, of->mode);
}

static int shim_open(const char *path, int flags, ...) {
    READ_MODE(mode, flags, flags)
    const struct opening call = {.path = path, .mode = mode};
    return blastradius_open(AT_FDCWD, path, flags, &call, again_open);
}
INTERPOSE(open);

static int again_open_nocancel(const void *call, int flags) {
    const struct opening *of = call;
    return open_nocancel(of->path, flags, of->mode);
}

static int shim_open_nocancel(const char *path, int flags, ...) {
    READ_MODE(mode, flags, flags)
    const struct opening call = {.path = path, .mode = mode};
    return blastradius_open(AT_FDCWD, path, flags, &call, again_open_nocancel);
}
INTERPOSE(open_nocancel);

static int again_openat(const void *call, int flags) {
    const struct opening *of = call;
    return openat(of->dirfd, of->path, flags, of->mode);
}

static int shim_openat(int dirfd, const char *path, int flags, ...) {
    READ_MODE(mode, flags, flags)
    const struct opening call = {.dirfd = dirfd, .path = path, .mode = mode};
    return blastradius_open(dirfd, path, flags, &call, again_openat);
}
INTERPOSE(openat);

static int again_openat_nocancel(const void *call, int flags) {
    const struct opening *of = call;
    return openat_nocancel(of->dirfd, of->path, flags, of->mode);
}

static int shim_openat_nocancel(int dirfd, const char *path, int flags, ...) {
    READ_MODE(mode, flags, flags)
    const struct opening call = {.dirfd = dirfd, .path = path, .mode = mode};
    return blastradius_open(dirfd, path, flags, &call, again_openat_nocancel);
}
INTERPOSE(openat_nocancel);

static int again_open_dprotected_np(const void *call, int flags) {
    const struct opening *of = call;
    return open_dprotected_np(of->path, flags, of->class, of->protection, of->mode);
}

static int shim_open_dprotected_np(const char *path, int flags, int class, int protection, ...) {
    READ_MODE(mode, flags, protection)
    const struct opening call = {.path = path, .mode = mode, .class = class, .protection = protection};
    return blastradius_open(AT_FDCWD, path, flags, &call, again_open_dprotected_np);
}
INTERPOSE(open_dprotected_np);

static int again_openat_dprotected_np(const void *call, int flags) {
    const struct opening *of = call;
    return openat_dprotected_np(of->dirfd, of->path, flags, of->class, of->protection, of->mode);
}

static int shim_openat_dprotected_np(int dirfd, const char *path, int flags, int class, int protection, ...) {
    READ_MODE(mode, flags, protection)
    const struct opening call = {dirfd, path, mode, class, protection};
    return blastradius_open(dirfd, path, flags, &call, again_openat_dprotected_np);
}
INTERPOSE(openat_dprotected_np);

/* A guarded descriptor ends the process that closes it, so these are judged before they open anything. */

extern int guarded_open_np(const char *path, const uint64_t *guard, unsigned guards, int flags, ...) WEAK;
extern int guarded_open_dprotected_np(const char *path, const uint64_t *guard, unsigned guards, int flags,
                                      int class, int protection, ...) WEAK;

static int shim_guarded_open_np(const char *path, const uint64_t *guard, unsigned guards, int flags, ...) {
    READ_MODE(mode, flags, flags)
    if (blastradius_judge_open(path, flags) != 0)
        return -1;
    return guarded_open_np(path, guard, guards, flags, mode);
}
INTERPOSE(guarded_open_np);

static int shim_guarded_open_dprotected_np(const char *path, const uint64_t *guard, unsigned guards, int flags,
                                           int class, int protection, ...) {
    READ_MODE(mode, flags, protection)
    if (blastradius_judge_open(path, flags) != 0)
        return -1;
    return guarded_open_dprotected_np(path, guard, guards, flags, class, protection, mode);
}
INTERPOSE(guarded_open_dprotected_np);

/* Not in every system. */

extern int removefileat(int dirfd, const char *path, void *state, unsigned flags) WEAK;

static int shim_removefileat(int dirfd, const char *path, void *state, unsigned flags) {
    if (blastradius_judge_removal(dirfd, path, flags) != 0)
        return -1;
    return removefileat(dirfd, path, state, flags);
}
INTERPOSE(removefileat);

/* Other names of functions in macos/table.rs. */

extern void *fopen_extsn(const char *path, const char *mode) __asm("_fopen$DARWIN_EXTSN") WEAK;
extern void *popen_extsn(const char *command, const char *mode) __asm("_popen$DARWIN_EXTSN") WEAK;
extern int rename_ext(const char *from, const char *to, unsigned flags) WEAK;

#define shim_fopen_extsn blastradius_fopen
INTERPOSE(fopen_extsn);
#define shim_popen_extsn blastradius_popen
INTERPOSE(popen_extsn);
#define shim_rename_ext blastradius_renamex_np
INTERPOSE(rename_ext);

/* The third argument of fcntl is a number or an address, or is not there: then what lies in its place is passed
 * on, and not looked at. The kernel's own entry reads as far. */

extern int fcntl(int fd, int command, ...);
extern int fcntl_nocancel(int fd, int command, ...) __asm("_fcntl$NOCANCEL");

#define READ_ARGUMENT(argument, last)              \
    va_list list;                                  \
    va_start(list, last);                          \
    uintptr_t argument = va_arg(list, uintptr_t);  \
    va_end(list);

static int shim_fcntl(int fd, int command, ...) {
    READ_ARGUMENT(argument, command)
    if (blastradius_judge_fcntl(fd, command, argument) != 0)
        return -1;
    return fcntl(fd, command, argument);
}
INTERPOSE(fcntl);

static int shim_fcntl_nocancel(int fd, int command, ...) {
    READ_ARGUMENT(argument, command)
    if (blastradius_judge_fcntl(fd, command, argument) != 0)
        return -1;
    return fcntl_nocancel(fd, command, argument);
}
INTERPOSE(fcntl_nocancel);

/* As libc's own, this takes as many arguments as there can be. */

extern int syscall(int number, ...);

static int shim_syscall(int number, ...) {
    uintptr_t a[8];
    va_list list;
    va_start(list, number);
    for (size_t index = 0; index < 8; index++)
        a[index] = va_arg(list, uintptr_t);
    va_end(list);
    int answer;
    if (blastradius_syscall(number, a, &answer))
        return answer;
    return syscall(number, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
}
INTERPOSE(syscall);

/* The arguments of an exec, as an array: `first` and what follows, up to the null pointer. It is on the stack,
 * because a child of vfork shares all other memory with its parent. */

extern int execl(const char *path, const char *first, ...);
extern int execlp(const char *file, const char *first, ...);
extern int execle(const char *path, const char *first, ...);

static size_t count(const char *first, va_list list) {
    size_t found = 0;
    for (const char *argument = first; argument != NULL; argument = va_arg(list, const char *))
        found++;
    return found;
}

#define READ_LIST(argv, list, first)                      \
    va_list list;                                         \
    va_start(list, first);                                \
    const size_t length = count(first, list);             \
    va_end(list);                                         \
    const char *argv[length + 1];                         \
    va_start(list, first);                                \
    argv[0] = first;                                      \
    for (size_t index = 1; index <= length; index++)      \
        argv[index] = va_arg(list, const char *);

static int shim_execl(const char *path, const char *first, ...) {
    READ_LIST(argv, list, first)
    va_end(list);
    return blastradius_execv(path, argv);
}
INTERPOSE(execl);

static int shim_execlp(const char *file, const char *first, ...) {
    READ_LIST(argv, list, first)
    va_end(list);
    return blastradius_execvp(file, argv);
}
INTERPOSE(execlp);

static int shim_execle(const char *path, const char *first, ...) {
    READ_LIST(argv, list, first)
    const char *const *envp = va_arg(list, const char *const *);
    va_end(list);
    return blastradius_execve(path, argv, envp);
}
INTERPOSE(execle);
