package display_test

import "gaucho/stdlib/display"

func Example() {
	h := display.Show(display.Markdown("fitting **slopes**"))
	for range display.Range(1000, "replications") {
		// work
	}
	h.Update(display.LaTeX(`\mathrm{MMD} \sim N^{-1.4}`))
	// Output:
	// fitting **slopes**
	// \mathrm{MMD} \sim N^{-1.4}
}

func ExampleUpdate() {
	display.ShowAs("loss", 0.7)
	display.Update("loss", 0.3) // in a notebook: in place
	// Output:
	// 0.7
	// 0.3
}
