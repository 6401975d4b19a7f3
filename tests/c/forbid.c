/* Runs a program in a sandbox that has no system call `seccomp`: `forbid PROGRAM ARGUMENT...` */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct sock_filter filter[] = {
        {0x20, 0, 0, 0},
        {0x15, 0, 1, SYS_seccomp},
        {0x06, 0, 0, SECCOMP_RET_ERRNO | EPERM},
        {0x06, 0, 0, SECCOMP_RET_ALLOW},
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        return 3;
    execv(argv[1], argv + 1);
    return 4;
}
