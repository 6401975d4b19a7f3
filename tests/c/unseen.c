/* Removes a name as a process that the kernel keeps from being looked into: `unseen HOW NAME`. Prints what `call` does. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOBODY 65534

int main(int argc, char **argv)
{
    long failed = 1;
    if (argc != 3)
        return 2;
    if (!strcmp(argv[1], "user"))
        failed = syscall(SYS_setresuid, NOBODY, NOBODY, NOBODY);
    else if (!strcmp(argv[1], "effective"))
        failed = syscall(SYS_setresuid, -1, NOBODY, -1);
    else if (!strcmp(argv[1], "files"))
        failed = syscall(SYS_setfsuid, NOBODY);
    else if (!strcmp(argv[1], "wish"))
        failed = prctl(PR_SET_DUMPABLE, 0);
    if (failed)
        return 3;
    if (unlink(argv[2]))
        printf("%d\n", errno);
    else
        printf("ok\n");
    return 0;
}
