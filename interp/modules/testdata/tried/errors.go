package main

import (
	"fmt"

	"github.com/pkg/errors"
)

func main() {
	err := errors.Wrap(errors.New("inner"), "outer")
	fmt.Println(err, errors.Cause(err))
	fmt.Printf("%+v\n", errors.WithMessage(fmt.Errorf("plain"), "said"))
}
