/* A 32-bit program without headers or start files, which few systems have: removes the file `small` and prints what
 * came of it.
 */
int unlink(const char *);
int puts(const char *);
void exit(int);

void _start(void)
{
    puts(unlink("small") == 0 ? "ok" : "not there");
    exit(3);
}
