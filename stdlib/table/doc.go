// Package table reads, shapes and writes tables: data in rows, with columns that have names and types.
//
// [ReadCSV] reads a file into structs, as encoding/json does:
//
//	type Plant struct {
//		Plot    string
//		Height  float64 `csv:"height [cm]"`
//		Sown    time.Time
//		Flowers *int // nil where the file has no value
//	}
//	var plants []Plant
//	err := table.ReadCSV("plants.csv", &plants)
//	plants, err := table.Read[Plant]("plants.csv") // the same
//
// A [Table] needs no type of one's own. Its columns have the types that the data have:
//
//	plants, err := table.Load("plants.csv.gz")
//	if err != nil {
//		return err
//	}
//	plants = plants.Where(func(r table.Row) bool { return r.Float("height") > 10 }).
//		Derive("rate", func(r table.Row) any { return r.Float("height") / r.Float("days") }).
//		SortBy("plot", "-height")
//	byPlot := plants.GroupBy("plot").Summarise(table.Count(), table.Mean("height"), table.Quantile("height", 0.9))
//	heights := plants.Floats("height")    // []float64, not copied
//	points := plants.Dense("days", "rate") // *mat.Dense, one plant a row
//	wide := plants.Pivot("plot", "treated", table.Mean("height")) // a column for each value of treated
//	err = byPlot.WriteCSV("plots.csv")
//
// [LoadJSON] and [Table.WriteJSON] do the same with JSON, and the package parquet with Parquet files.
//
// In a notebook a table shows its first and last rows, with the types of its columns.
//
// Reading and writing files, and [From], return errors. Methods of a table panic when they are given the name of a column
// that does not exist; the message says which columns there are.
//
// Values may be missing. A missing number is NaN in a []float64, and a NaN in a column of float64 is a missing value; other
// columns have a mask, [Table.Valid]. Summaries leave missing values out, and [Table.Complete] drops their rows.
package table
