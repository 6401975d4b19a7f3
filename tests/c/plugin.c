/* A library with functions that call libc's, and one that has only its name in common with libc. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int plugin_unlink(const char *path)
{
    return unlink(path);
}

int plugin_fopen(const char *path)
{
    FILE *stream = fopen(path, "w");
    return stream ? fclose(stream) : -1;
}

/* Not by a call that may be looked up late, but by an address in data. */
static int (*const kept)(const char *) = unlink;

int plugin_kept(const char *path)
{
    return kept(path);
}

int plugin_rmdir(const char *path)
{
    return rmdir(path);
}

int truncate(const char *path, off_t length)
{
    (void)path;
    (void)length;
    return 4242;
}
