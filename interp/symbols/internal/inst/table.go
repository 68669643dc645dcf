package inst

import "gaucho/stdlib/table"

// ReadCSV is [table.ReadCSV], for [table.Read].
func ReadCSV(file string, rows any) error { return table.ReadCSV(file, rows) }
