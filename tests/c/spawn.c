/* Starts a program in one of libc's ways, without any variable of the environment, and waits for it.
 *
 *     spawn WAY PROGRAM ARGUMENT...
 *
 * Before a way, `clear-` gives it no environment, `keep-` one variable, KEPT=1, and an LD_PRELOAD that names another
 * library, `several-` two of each of ours, `large-` very many; `own-` gives it the
 * program's own, and so do `unsetenv-`, `clearenv-`, `putenv-` and `setenv-`, once that function has taken ours away.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

extern char **environ;
#ifdef __GLIBC__
extern FILE *_IO_popen(const char *, const char *);
#else
#define _IO_popen popen
#endif
extern int pidfd_spawn(int *, const char *, const void *, const void *, char *const[], char *const[])
    __attribute__((weak));
extern int pidfd_spawnp(int *, const char *, const void *, const void *, char *const[], char *const[])
    __attribute__((weak));
static char *none[] = {NULL};
static char *some[] = {"KEPT=1", "LD_PRELOAD=/other/library.so", "BINARY=\xff\xfe", NULL};
static char *several[] = {"LD_PRELOAD=/one.so", "BLASTRADIUS_POLICY=", "LD_PRELOAD=/two.so",
                          "BLASTRADIUS_POLICY=other", NULL};

static void run(const char *way, char **argv, char **envp)
{
    char *program = argv[0];
    const char *name = strrchr(program, '/') + 1;
    char directory[4096];
    snprintf(directory, sizeof directory, "%.*s", (int)(name - program - 1), program);
#define IS(what) (!strcmp(way, what))
    if (IS("execve")) execve(program, argv, envp);
    if (IS("execve-null")) execve(program, argv, NULL);
    if (IS("fexecve")) fexecve(open(program, O_RDONLY), argv, envp);
#ifdef __GLIBC__
    if (IS("execveat")) execveat(open(directory, O_RDONLY), name, argv, envp, 0);
#endif
    if (IS("number-execve")) syscall(SYS_execve, program, argv, envp);
    if (IS("number-execveat"))
        syscall(SYS_execveat, open(directory, O_RDONLY), name, argv, envp, 0);
    if (IS("execle")) {
        if (argv[1] == NULL) execle(program, argv[0], (char *)NULL, envp);
        if (argv[2] == NULL) execle(program, argv[0], argv[1], (char *)NULL, envp);
        execle(program, argv[0], argv[1], argv[2], argv[3], (char *)NULL, envp);
    }
    if (IS("execle-many"))
        /* More than travel in registers. */
        execle(program, argv[0], "-e", "-e", "-e", "-e", "-e", "-e", "-e", "-e", argv[1], argv[2],
               (char *)NULL, envp);
    environ = envp;
    setenv("PATH", directory, 1);
    if (IS("execv")) execv(program, argv);
    if (IS("execvp")) execvp(name, argv);
    if (IS("execvpe")) execvpe(name, argv, envp);
    if (IS("execl")) execl(program, argv[0], argv[1], argv[2], (char *)NULL);
    if (IS("execl-many"))
        execl(program, argv[0], "-e", "-e", "-e", "-e", "-e", "-e", "-e", "-e", argv[1], argv[2],
              (char *)NULL);
    if (IS("execlp")) execlp(name, argv[0], argv[1], argv[2], (char *)NULL);
    printf("%s: %d\n", way, errno);
    fflush(stdout);
    _exit(1);
}

static int in_child(const char *way, char **argv, char **envp, int by_vfork)
{
    pid_t child = by_vfork ? vfork() : fork();
    if (child == 0)
        run(way, argv, envp);
    int status = 0;
    waitpid(child, &status, 0);
    return status != 0;
}

static int as_command(const char *way, char **argv, char **envp)
{
    char command[8192] = "";
    for (; *argv; argv++) {
        strcat(command, *argv);
        strcat(command, " ");
    }
    environ = envp;
    if (!strcmp(way, "system"))
        return system(command) != 0;
    if (!strcmp(way, "wordexp")) {
        char words[8300];
        wordexp_t found;
        snprintf(words, sizeof words, "$(%s)", command);
        if (wordexp(words, &found, WRDE_SHOWERR))
            return 1;
        for (size_t i = 0; i < found.we_wordc; i++)
            printf("%s%s", i ? " " : "", found.we_wordv[i]);
        puts("");
        return 0;
    }
    char line[4096];
    FILE *(*start)(const char *, const char *) = !strcmp(way, "popen") ? popen : _IO_popen;
    FILE *pipe = start(command, "r");
    while (pipe && fgets(line, sizeof line, pipe))
        fputs(line, stdout);
    return !pipe || pclose(pipe) != 0;
}

int main(int argc, char **argv)
{
    const char *way = argv[1];
    char **envp = none;
    pid_t child;
    int status = 0;
    if (argc < 3)
        return 2;
    if (!strncmp(way, "clear-", 6)) {
        /* No environment at all, which is not an empty one. */
        way += 6;
        envp = NULL;
    } else if (!strncmp(way, "keep-", 5)) {
        way += 5;
        envp = some;
    } else if (!strncmp(way, "several-", 8)) {
        way += 8;
        envp = several;
    } else if (!strncmp(way, "large-", 6)) {
        way += 6;
        envp = calloc(2000, sizeof *envp);
        for (int i = 0; i < 1999; i++)
            if (asprintf(&envp[i], "V%d=%d", i, i) < 0)
                return 3;
    }
    static const char *ours[] = {"LD_PRELOAD", "BLASTRADIUS_POLICY"};
    if (!strncmp(way, "own-", 4)) {
        way += 4;
        envp = environ;
    } else if (!strncmp(way, "unsetenv-", 9)) {
        way += 9;
        for (int i = 0; i < 2; i++)
            unsetenv(ours[i]);
        envp = environ;
    } else if (!strncmp(way, "clearenv-", 9)) {
        way += 9;
        clearenv();
        envp = environ;
    } else if (!strncmp(way, "putenv-", 7)) {
        way += 7;
        putenv("LD_PRELOAD=");
        putenv("BLASTRADIUS_POLICY=1 put");
        envp = environ;
    } else if (!strncmp(way, "setenv-", 7)) {
        way += 7;
        for (int i = 0; i < 2; i++)
            setenv(ours[i], "", 1);
        envp = environ;
    }
    argv += 2;
    if (!strcmp(way, "posix_spawn")) {
        if (posix_spawn(&child, argv[0], NULL, NULL, argv, envp))
            return 4;
        waitpid(child, &status, 0);
        return status != 0;
    }
    if (!strcmp(way, "posix_spawnp")) {
        if (posix_spawnp(&child, argv[0], NULL, NULL, argv, envp))
            return 4;
        waitpid(child, &status, 0);
        return status != 0;
    }
    if (!strncmp(way, "pidfd_spawn", 11)) {
        /* A child here, where libc has a descriptor. */
        if ((way[11] ? pidfd_spawnp : pidfd_spawn)(&child, argv[0], NULL, NULL, argv, envp))
            return 4;
        waitpid(child, &status, 0);
        return status != 0;
    }
    if (!strcmp(way, "system") || strstr(way, "popen") || !strcmp(way, "wordexp"))
        return as_command(way, argv, envp);
    if (!strncmp(way, "vfork-", 6))
        return in_child(way + 6, argv, envp, 1);
    return in_child(way, argv, envp, 0);
}
