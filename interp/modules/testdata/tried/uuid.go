package main

import (
	"fmt"

	"github.com/google/uuid"
)

func main() {
	u := uuid.NewSHA1(uuid.NameSpaceURL, []byte("go.dev"))
	v, err := uuid.Parse(u.String())
	fmt.Println(u, v == u, err, u.Version())
	_, err = uuid.Parse("no")
	fmt.Println(err)
}
