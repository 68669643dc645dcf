package table_test

import (
	"fmt"
	"strings"
	"time"

	"gaucho/stdlib/table"
)

func ExampleReadCSV() {
	type Plant struct {
		Plot    string
		Height  float64 // NaN where missing
		Sown    time.Time
		Flowers *int // nil where missing
	}
	var plants []Plant
	if err := table.ReadCSV("testdata/plants.csv", &plants); err != nil {
		fmt.Println(err)
	}
	fmt.Println(len(plants), plants[0].Plot, plants[0].Height, plants[0].Sown.Format(time.DateOnly), *plants[0].Flowers)
	fmt.Println(plants[1].Flowers == nil, plants[3].Height)
	// Output:
	// 6 A 12.5 2024-03-01 3
	// true NaN
}

func ExampleLoad() {
	plants, err := table.Load("testdata/plants.csv")
	fmt.Println(err)
	fmt.Println(plants)
	// Output:
	// <nil>
	//    plot     height  treated  sown        flowers  code
	//    string  float64  bool     time.Time       int  string
	// 0  A         12.50  true     2024-03-01        3  007
	// 1  B          9.25  false    2024-03-02        –  012
	// 2  A         15.00  true     2024-03-01        5  001
	// 3  B             –  false    2024-03-05        1  100
	// 4  A         11.00  false    –                 4  020
	// 5  –          7.75  true     2024-02-28        2  003
	// 6 rows, 6 columns
}

func ExampleTable_GroupBy() {
	plants, _ := table.Load("testdata/plants.csv")
	fmt.Println(plants.GroupBy("plot").Summarise(table.Count(), table.Mean("height"), table.Quantile("height", 0.25)))
	// Output:
	// plot    count  height_mean  height_q0.25
	//    string    int      float64       float64
	// 0  A           3      12.8333         11.75
	// 1  B           2       9.2500          9.25
	// 2  –           1       7.7500          7.75
	// 3 rows, 4 columns
}

func ExampleTable_Where() {
	plants, _ := table.Load("testdata/plants.csv")
	tall := plants.Where(func(r table.Row) bool { return r.Float("height") > 10 })
	tall = tall.Derive("size", func(r table.Row) any { return r.Float("height") * r.Float("flowers") }).SortBy("-size")
	fmt.Println(tall.Select("plot", "size"))
	// Output:
	// plot       size
	//    string  float64
	// 0  A          75.0
	// 1  A          44.0
	// 2  A          37.5
	// 3 rows, 2 columns
}

func ExampleTable_Join() {
	plants, _ := table.Load("testdata/plants.csv")
	plots, _ := table.Parse(strings.NewReader("plot,soil\nA,loam\nB,sand\n"), "plots")
	fmt.Println(plants.Join(plots, "plot").Select("plot", "height", "soil").Head(3))
	// Output:
	// plot     height  soil
	//    string  float64  string
	// 0  A         12.50  loam
	// 1  B          9.25  sand
	// 2  A         15.00  loam
	// 3 rows, 3 columns
}

func ExampleTable_Describe() {
	plants, _ := table.Load("testdata/plants.csv")
	fmt.Println(plants.Describe().Select("column", "count", "missing", "distinct", "mean", "max"))
	// Output:
	// column   count  missing  distinct     mean      max
	//    string     int      int       int  float64  float64
	// 0  plot         5        1         2        –        –
	// 1  height       5        1         5     11.1       15
	// 2  treated      6        0         2        –        –
	// 3  sown         5        1         4        –        –
	// 4  flowers      5        1         5      3.0        5
	// 5  code         6        0         6        –        –
	// 6 rows, 6 columns
}

func ExampleGrouping_String() {
	plants, _ := table.Load("testdata/plants.csv")
	fmt.Println(plants.GroupBy("plot"))
	// Output:
	// 6 rows in 3 groups by plot
	//    plot    count
	//    string    int
	// 0  A           3
	// 1  B           2
	// 2  –           1
	// 3 rows, 2 columns
}
