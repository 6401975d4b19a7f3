/* Removes, moves, empties or opens a file by ways that no libc takes, and prints what the kernel answered: `ok`, or the
 * errno's number.
 *
 *     raw WAY ACT PATH [PATH]
 *
 * WAY is `native`, `narrow` (the 32-bit gate), `x32`, or `ring`; ACT is unlink, rmdir, rename, truncate, empty (opens
 * with O_TRUNC), write (opens to write), or, of a ring, setup,
 * enter or register. SIX in the environment is what the sixth register holds.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct act {
    const char *name;
    long native, narrow, second, third;
};

#ifdef __x86_64__
static const struct act ACTS[] = {
    {"unlink", SYS_unlink, 10, 0, 0},
    {"rmdir", SYS_rmdir, 40, 0, 0},
    {"rename", SYS_rename, 38, -1, 0},
    {"truncate", SYS_truncate, 92, 0, 0},
    {"empty", SYS_open, 5, O_WRONLY | O_TRUNC, 0},
    {"write", SYS_open, 5, O_RDWR, 0},
    {"append", SYS_open, 5, O_WRONLY | O_APPEND, 0},
};

static long sixth;

static long native(long number, long one, long two, long three)
{
    long result;
    register long six __asm__("r9") = sixth;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(one), "S"(two), "d"(three), "r"(six)
                     : "rcx", "r11", "memory");
    return result;
}

static long narrow(long number, long one, long two, long three)
{
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(one), "c"(two), "d"(three) : "memory");
    return (int)result;
}
#endif

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    long answer = -ENOSYS;
#ifdef __x86_64__
    if (getenv("SIX"))
        sixth = strtoul(getenv("SIX"), NULL, 16);
    /* Where 32 bits reach. */
    char *low = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (low == MAP_FAILED)
        return 3;
    for (int i = 3; i < argc && i < 5; i++)
        strcpy(low + (i - 3) * 4096, argv[i]);
    if (!strcmp(argv[1], "ring") && !strcmp(argv[2], "setup"))
        answer = native(SYS_io_uring_setup, 4, (long)(low + 8192), 0);
    /* By one that is not there: without a filter EBADF. */
    if (!strcmp(argv[1], "ring") && !strcmp(argv[2], "enter"))
        answer = native(SYS_io_uring_enter, -1, 1, 0);
    if (!strcmp(argv[1], "ring") && !strcmp(argv[2], "register"))
        answer = native(SYS_io_uring_register, -1, 0, 0);
    for (unsigned i = 0; i < sizeof ACTS / sizeof *ACTS; i++) {
        const struct act *act = &ACTS[i];
        if (strcmp(act->name, argv[2]))
            continue;
        long second = act->second < 0 ? (long)(low + 4096) : act->second;
        if (!strcmp(argv[1], "native"))
            answer = native(act->native, (long)low, second, act->third);
        if (!strcmp(argv[1], "narrow"))
            answer = narrow(act->narrow, (long)low, second, act->third);
        if (!strcmp(argv[1], "x32"))
            answer = native(act->native | 0x40000000, (long)low, second, act->third);
    }
#endif
    if (answer < 0)
        printf("%ld\n", -answer);
    else
        printf("ok\n");
    return 0;
}
