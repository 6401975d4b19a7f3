/* Finds a function of libc in one of the ways that go past other libraries, calls it, and prints what came of it: `ok`,
 * or the errno's number.
 *
 *     lookup WAY FUNCTION PATH [PLUGIN]
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __GLIBC__
#define LIBC "libc.so.6"
#else
#define LIBC "libc.so"
#endif

typedef int (*function)(const char *, long);
typedef void *(*opener)(const char *, const char *);

static function find(const char *way, const char *name, const char *plugin)
{
#define IS(what) (!strcmp(way, what))
    if (IS("handle")) return (function)dlsym(dlopen(LIBC, RTLD_NOW), name);
    if (IS("self")) return (function)dlsym(dlopen(NULL, RTLD_NOW), name);
    if (IS("default")) return (function)dlsym(RTLD_DEFAULT, name);
    if (IS("next")) return (function)dlsym(RTLD_NEXT, name);
#ifdef __GLIBC__
    if (IS("version"))
#ifdef __x86_64__
        return (function)dlvsym(dlopen(LIBC, RTLD_NOW), name, "GLIBC_2.2.5");
#else
        return (function)dlvsym(dlopen(LIBC, RTLD_NOW), name, "GLIBC_2.17");
#endif
    if (IS("namespace")) return (function)dlsym(dlmopen(LM_ID_NEWLM, LIBC, RTLD_NOW), name);
    if (IS("deep-now")) return (function)dlsym(dlopen(plugin, RTLD_NOW | RTLD_DEEPBIND), name);
    if (IS("deep-lazy")) return (function)dlsym(dlopen(plugin, RTLD_LAZY | RTLD_DEEPBIND), name);
#endif
    if (IS("plugin")) return (function)dlsym(dlopen(plugin, RTLD_NOW), name);
    return NULL;
}

int main(int argc, char **argv)
{
    const char *path = argv[3];
    function call = find(argv[1], argv[2], argc > 4 ? argv[4] : NULL);
    if (!call) {
        printf("not found: %s\n", dlerror());
        return 1;
    }
    errno = 0;
    int result;
    if (!strncmp(argv[2], "plugin_", 7))
        result = call(path, 0);
    else if (!strcmp(argv[2], "popen"))
        result = ((opener)(void *)call)("true", "r") ? 0 : -1;
    else if (strstr(argv[2], "fopen"))
        result = ((opener)(void *)call)(path, "w") ? 0 : -1;
    else if (strstr(argv[2], "open"))
        result = call(path, O_WRONLY | O_TRUNC);
    else
        result = call(path, 0);
    if (result < 0)
        printf("%d\n", errno);
    else if (result == 4242)
        printf("own\n");
    else
        printf("ok\n");
    return 0;
}
