/* Runs a program in a sandbox that lacks system calls: `forbid NAMES PROGRAM ARGUMENT...`, NAMES being some of
   seccomp, landlock, unshare, pidfd_open and pidfd_getfd, with commas between them; `listener` is a supervisor that
   others find in their way. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PIDFD_OPEN 434
#define PIDFD_GETFD 438
#define LANDLOCK_CREATE_RULESET 444
#define LANDLOCK_RESTRICT_SELF 446

static struct sock_filter filter[32] = {{0x20, 0, 0, 0}};
static unsigned short length = 1;

static void add(unsigned first, unsigned last, unsigned error)
{
    filter[length++] = (struct sock_filter){0x35, 0, 2, first};
    filter[length++] = (struct sock_filter){0x25, 1, 0, last};
    filter[length++] = (struct sock_filter){0x06, 0, 0, SECCOMP_RET_ERRNO | error};
}

int main(int argc, char **argv)
{
    unsigned flags = 0;
    if (argc < 3)
        return 3;
    for (char *name = strtok(argv[1], ","); name; name = strtok(0, ",")) {
        if (!strcmp(name, "seccomp"))
            add(SYS_seccomp, SYS_seccomp, EPERM);
        else if (!strcmp(name, "landlock"))
            add(LANDLOCK_CREATE_RULESET, LANDLOCK_RESTRICT_SELF, ENOSYS);
        else if (!strcmp(name, "unshare"))
            add(SYS_unshare, SYS_unshare, EPERM);
        else if (!strcmp(name, "pidfd_getfd"))
            add(PIDFD_GETFD, PIDFD_GETFD, EPERM);
        else if (!strcmp(name, "pidfd_open"))
            add(PIDFD_OPEN, PIDFD_OPEN, ENOSYS);
        else if (!strcmp(name, "listener"))
            flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
        else
            return 3;
    }
    filter[length++] = (struct sock_filter){0x06, 0, 0, SECCOMP_RET_ALLOW};
    struct sock_fprog program = {length, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        return 3;
    long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    /* It lives as long as it is held. */
    if (listener < 0 || (listener && fcntl(listener, F_SETFD, 0)))
        return 3;
    execv(argv[2], argv + 2);
    return 4;
}
