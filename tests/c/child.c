/* Removes a file, and prints the errno (0 if there was none), then the variables that it was given: the list for the
 * loader on a line, and the policy up to the end.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *preload = getenv("LD_PRELOAD"), *policy = getenv("BLASTRADIUS_POLICY");
    int error = argc > 1 && unlink(argv[1]) == 0 ? 0 : errno;
    printf("%d\n%s\n%s", error, preload ? preload : "", policy ? policy : "");
    return 0;
}
