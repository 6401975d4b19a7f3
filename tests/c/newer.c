/* Functions of a libc that is newer than the one here. Like libc's own they start the program without calling
 * `execve`, which would be judged again: by the instruction itself. */
#include <sys/syscall.h>
#include <unistd.h>

static long raw_execve(const char *path, char *const argv[], char *const envp[])
{
    long result;
#ifdef __x86_64__
    __asm__ volatile("syscall" : "=a"(result)
                     : "a"(SYS_execve), "D"(path), "S"(argv), "d"(envp)
                     : "rcx", "r11", "memory");
#else
    register long number __asm__("x8") = SYS_execve;
    register long first __asm__("x0") = (long)path;
    register char *const *second __asm__("x1") = argv;
    register char *const *third __asm__("x2") = envp;
    __asm__ volatile("svc 0" : "+r"(first) : "r"(number), "r"(second), "r"(third) : "memory");
    result = first;
#endif
    return result;
}

int pidfd_spawn(int *pidfd, const char *path, const void *actions, const void *attributes, char *const argv[],
                char *const envp[])
{
    pid_t child = fork();
    if (child == 0) {
        raw_execve(path, argv, envp);
        _exit(127);
    }
    (void)actions, (void)attributes;
    *pidfd = child;
    return 0;
}

int pidfd_spawnp(int *pidfd, const char *path, const void *actions, const void *attributes, char *const argv[],
                 char *const envp[])
{
    return pidfd_spawn(pidfd, path, actions, attributes, argv, envp);
}
