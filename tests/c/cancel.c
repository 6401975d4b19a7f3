/* Cancels a thread that waits until somebody writes to a named pipe; prints `ok` when it has come to its end. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void *wait_for_writer(void *path)
{
    open(path, O_RDONLY);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    void *result = NULL;
    if (argc != 2 || mkfifo(argv[1], 0600) || pthread_create(&thread, NULL, wait_for_writer, argv[1]))
        return 2;
    usleep(50000);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    puts(result == PTHREAD_CANCELED ? "ok" : "not cancelled");
    return 0;
}
