/* Does what only some programs do, by itself and without libc's part in it, and prints what came of it: `ok` or the
 * errno's number.
 *
 *     odd table FILE           a thread with descriptors of its own empties a file under a number that is a pipe elsewhere
 *     odd room FILE            empties a file by opening it where there is no room for a descriptor
 *     odd busy PROGRAM LOCK    writes a program and runs it; locks a file, closes it and locks it once more
 *     odd detached MOUNT FILE  empties FILE below a copy of a mount that lies nowhere
 *     odd linked FILE          shortens a file that it has opened, after this name of it is gone
 *     odd jail ROOT FILE       empties FILE in another root, by a path past no link
 *     odd resolve FILE FLAGS   opens a file to write, with flags that say how its path may be followed
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OWN = 50, ROUNDS = 200 };

static int tell(long result)
{
    if (result < 0)
        printf("%d\n", errno);
    else
        puts("ok");
    return 0;
}

static void *empty_own(void *path)
{
    if (unshare(CLONE_FILES) < 0 || dup2(open(path, O_WRONLY | O_APPEND), OWN) < 0)
        tell(-1);
    else
        tell(ftruncate(OWN, 0));
    return NULL;
}

static int table(char *path)
{
    int ends[2];
    pthread_t thread;
    if (pipe(ends) < 0 || dup2(ends[1], OWN) < 0 || pthread_create(&thread, NULL, empty_own, path) != 0)
        return 2;
    pthread_join(thread, NULL);
    return 0;
}

static int room(const char *path)
{
    struct rlimit limit = {16, 16};
    setrlimit(RLIMIT_NOFILE, &limit);
    while (dup(0) >= 0)
        ;
    return tell(open(path, O_WRONLY | O_TRUNC));
}

static int copied(const char *from, const char *to)
{
    char bytes[1 << 16];
    int source = open(from, O_RDONLY), target = open(to, O_WRONLY | O_TRUNC | O_CREAT, 0755);
    ssize_t length;
    while ((length = read(source, bytes, sizeof bytes)) > 0)
        if (write(target, bytes, length) != length)
            return -1;
    close(source);
    return close(target);
}

static int busy(const char *program, const char *lock)
{
    for (volatile int round = 0; round < ROUNDS; round++) {
        int status;
        if (copied("/proc/self/exe", program) < 0)
            return tell(-1);
        pid_t child = vfork();
        if (child == 0) {
            execl(program, program, NULL);
            _exit(errno);
        }
        waitpid(child, &status, 0);
        if (WEXITSTATUS(status) == ETXTBSY) {
            errno = ETXTBSY;
            return tell(-1);
        }
        int first = open(lock, O_RDWR | O_CREAT, 0644);
        flock(first, LOCK_EX);
        close(first);
        int second = open(lock, O_RDONLY);
        if (flock(second, LOCK_EX | LOCK_NB) < 0)
            return tell(-1);
        close(second);
    }
    return tell(0);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 99;
    if (!strcmp(argv[1], "table"))
        return table(argv[2]);
    if (!strcmp(argv[1], "room"))
        return room(argv[2]);
    if (!strcmp(argv[1], "busy"))
        return busy(argv[2], argv[3]);
    if (!strcmp(argv[1], "detached")) {
        enum { SYS_OPEN_TREE = 428, CLONE_TREE = 1 };
        int tree = syscall(SYS_OPEN_TREE, AT_FDCWD, argv[2], CLONE_TREE);
        if (tree < 0) {
            puts("none");
            return 0;
        }
        return tell(openat(tree, argv[3], O_WRONLY | O_TRUNC));
    }
    if (!strcmp(argv[1], "linked")) {
        int fd = open(argv[2], O_RDWR);
        return unlink(argv[2]) < 0 ? 2 : tell(ftruncate(fd, 1));
    }
    if (!strcmp(argv[1], "jail")) {
        enum { NO_SYMLINKS = 4 };
        unsigned long long how[3] = {O_WRONLY | O_TRUNC, 0, NO_SYMLINKS};
        if (chroot(argv[2]) < 0 || chdir("/") < 0) {
            puts("none");
            return 0;
        }
        return tell(syscall(SYS_openat2, AT_FDCWD, argv[3], how, sizeof how));
    }
    if (!strcmp(argv[1], "resolve")) {
        unsigned long long how[3] = {O_RDWR, 0, strtoull(argv[3], NULL, 0)};
        return tell(syscall(SYS_openat2, AT_FDCWD, argv[2], how, sizeof how));
    }
    return 99;
}
