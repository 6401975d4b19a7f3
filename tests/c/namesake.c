/* What a plugin may need: a library whose function has only its name in common with libc's. */
int rmdir(const char *path)
{
    (void)path;
    return 4242;
}
