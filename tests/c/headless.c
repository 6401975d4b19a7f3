/* Removes a file by a thread whose process has lost its first one: `headless PATH`. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *second(void *path)
{
    /* The first has ended by then. */
    usleep(100000);
    exit(unlink(path) ? 1 : 0);
}

int main(int argc, char **argv)
{
    pthread_t thread;
    if (argc < 2 || pthread_create(&thread, 0, second, argv[1]))
        return 3;
    pthread_exit(0);
}
