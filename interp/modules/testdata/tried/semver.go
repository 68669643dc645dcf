package main

import (
	"fmt"

	"github.com/Masterminds/semver/v3"
)

func main() {
	c, err := semver.NewConstraint(">= 1.2, < 3.0.0 || >= 4")
	fmt.Println(c.Check(semver.MustParse("1.3.0")), c.Check(semver.MustParse("3.1.0")), err)
	_, err = semver.NewVersion("x")
	fmt.Println(err, semver.MustParse("1.2.3-beta.1+b3").IncMinor())
}
