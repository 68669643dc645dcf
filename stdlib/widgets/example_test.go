package widgets_test

import (
	"fmt"

	"gaucho/stdlib/widgets"
)

func Example() {
	n := widgets.NewIntSlider("n", 1, 100, 10)
	label := widgets.NewLabel("")
	n.OnValue(func(v int) { label.SetValue(fmt.Sprintf("n is %d", v)) })
	box := widgets.NewVBox(n, label) // the last expression of a cell shows it
	n.SetValue(20)
	fmt.Println(label.Value(), len(box.Children()))
	// Output: n is 20 2
}

func ExampleInteract() {
	iv := widgets.Interact(func(bandwidth float64, n int) any {
		fmt.Println("bandwidth", bandwidth, "n", n)
		return nil
	}, widgets.Range(0.1, 5).At(1), 50)
	iv.Controls()[0].(*widgets.FloatSlider).SetValue(2)
	// Output:
	// bandwidth 1 n 50
	// bandwidth 2 n 50
}
