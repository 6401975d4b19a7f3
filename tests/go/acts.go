// Does one act on a file as Go does it, and prints what came of it: ok, or the errno's number.
package main

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

func main() {
	var err error
	path := os.Args[2]
	switch os.Args[1] {
	case "unlink", "rmdir":
		err = os.Remove(path)
	case "rename":
		err = os.Rename(path, os.Args[3])
	case "truncate":
		err = os.Truncate(path, 0)
	case "empty":
		err = opened(os.Create(path))
	case "write":
		err = opened(os.OpenFile(path, os.O_RDWR, 0))
	case "append":
		err = opened(os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0))
	}
	var errno syscall.Errno
	switch {
	case err == nil:
		fmt.Println("ok")
	case errors.As(err, &errno):
		fmt.Println(int(errno))
	default:
		fmt.Println(err)
	}
}

func opened(file *os.File, err error) error {
	if err == nil {
		file.Close()
	}
	return err
}
