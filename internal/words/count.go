package words

import "strconv"

// Count is "1 row", "2 rows".
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
