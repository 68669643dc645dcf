package boosting_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"gaucho/stdlib/boosting"
	"gaucho/stdlib/rkhs"
)

// A kink under noise: the rule that needs no truth stops near the oracle.
func Example() {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(1, 0))
	x := boosting.Grid(200)
	target := boosting.Kink(x)
	y := boosting.Squared{}.Draw(target, 0.05, rng)

	design, err := boosting.NewDesign(ctx, rkhs.Min{Offset: 1}, x)
	if err != nil {
		log.Fatal(err)
	}
	radius, err := design.CriticalRadius(ctx, math.Sqrt(0.05))
	if err != nil {
		log.Fatal(err)
	}
	settings := boosting.DefaultSettings()
	settings.Iterations = 2000
	settings.Target = target // to see the error
	path, err := boosting.Boost(ctx, design, y, settings)
	if err != nil {
		log.Fatal(err)
	}
	stop := boosting.CalibratedStop(radius.Squared(), settings.Step)
	_, best, err := boosting.Oracle(path.Error)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("error %.4f at the rule's stop, %.4f at best, %.4f without stopping\n",
		path.Error[stop], best, path.Error[2000])
	// Output: error 0.0015 at the rule's stop, 0.0013 at best, 0.0041 without stopping
}

func ExampleCrossValidate() {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(2, 0))
	x := boosting.Grid(100)
	data := boosting.Data{X: x, Y: boosting.Squared{}.Draw(boosting.Kink(x), 0.05, rng)}
	cv, err := boosting.CrossValidate(ctx, rkhs.Min{Offset: 1}, data, 5, nil, rng)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(cv.Best > 1 && cv.Loss[cv.Best] < cv.Loss[0])
	// Output: true
}

func ExampleROC() {
	curve, err := boosting.ROC([]float64{0.9, 0.8, 0.4, 0.3}, []float64{1, -1, 1, -1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(curve.Area)
	// Output: 0.75
}
