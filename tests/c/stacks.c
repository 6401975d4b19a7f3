/* Calls on stacks that are small: prints `ok` where all went as it must.
 *
 *     stacks thread OUTSIDE | stacks signal OUTSIDE
 *
 * A thread has 16 KiB, the least that glibc gives; a signal handler has what the kernel leaves of 8 KiB on most
 * machines, and what lies below is the program's.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *outside;
static const char *wrong;

static void expect(int right, const char *what)
{
    if (!right && !wrong)
        wrong = what;
}

static int opened(const char *path, int flags)
{
    int fd = open(path, flags, 0600);
    return fd < 0 ? fd : close(fd);
}

static void act(void)
{
    expect(!opened("./a", O_CREAT | O_WRONLY | O_TRUNC), "open");
    expect(!rename("./a", "./b"), "rename");
    expect(!unlink("./b"), "unlink");
    expect(unlink(outside) == -1 && errno == EPERM, "unlink outside");
    expect(opened(outside, O_WRONLY | O_TRUNC) == -1 && errno == EPERM, "open outside");
    expect(!opened("./a", O_CREAT | O_WRONLY | O_EXCL), "create");
    expect(rename("./a", outside) == -1 && errno == EPERM, "rename outside");
}

static void *thread(void *unused)
{
    (void)unused;
    act();
    pid_t child = vfork();
    if (!child) {
        char *arguments[] = {"true", NULL}, *environment[] = {NULL};
        execve("/bin/true", arguments, environment);
        _exit(9);
    }
    int status = -1;
    waitpid(child, &status, 0);
    expect(status == 0, "exec");
    return NULL;
}

static char *top;
static size_t frame;

static void measure(int signal)
{
    char here;
    (void)signal;
    frame = top - &here;
}

static void handler(int signal)
{
    (void)signal;
    act();
}

static void raise_on(unsigned char *memory, size_t size, void (*function)(int))
{
    stack_t stack = {.ss_sp = memory, .ss_size = size};
    struct sigaction action = {.sa_handler = function, .sa_flags = SA_ONSTACK};
    top = (char *)memory + size;
    expect(!sigaltstack(&stack, NULL) && !sigaction(SIGUSR1, &action, NULL), "stack");
    raise(SIGUSR1);
}

int main(int argc, char **argv)
{
    enum { BELOW = 64 * 1024, LEFT = 5 * 1024 };
    if (argc != 3)
        return 2;
    outside = argv[2];
    if (!strcmp(argv[1], "thread")) {
        pthread_attr_t attributes;
        pthread_t number;
        pthread_attr_init(&attributes);
        expect(!pthread_attr_setstacksize(&attributes, 16384), "attributes");
        expect(!pthread_create(&number, &attributes, thread, NULL), "thread");
        pthread_join(number, NULL);
    } else {
        unsigned char *memory = malloc(2 * BELOW);
        raise_on(memory + BELOW, BELOW, measure);
        memset(memory, 0xa5, BELOW);
        raise_on(memory + BELOW, frame + LEFT, handler);
        for (int i = 0; i < BELOW; i++)
            expect(memory[i] == 0xa5, "overrun");
    }
    puts(wrong ? wrong : "ok");
    return wrong != NULL;
}
