// Package parquet reads and writes tables as Parquet files, which pandas, polars, DuckDB and Spark share: columns with types and
// missing values, compressed.
//
//	plants, err := parquet.Load("plants.parquet")
//	err = parquet.Write("tall.parquet", plants.Where(func(r table.Row) bool { return r.Float("height") > 10 }))
//
// It is a package of its own, so that programs that read CSV alone do not link the format's encodings and compressions.
package parquet
