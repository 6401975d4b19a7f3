/* A library whose constructor destroys before any other constructor has run: `EARLY` names the file. */
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void early(void)
{
    const char *file = getenv("EARLY");
    if (file)
        unlink(file);
}
