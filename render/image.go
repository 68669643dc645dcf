package render

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
)

func imageText(img image.Image) string {
	s := img.Bounds().Size()
	return fmt.Sprintf("%T %d×%d", img, s.X, s.Y)
}

// imageBundle returns an image as PNG. An empty image has only text.
func imageBundle(img image.Image) map[string]any {
	data := map[string]any{"text/plain": imageText(img)}
	if img.Bounds().Empty() {
		return data
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		data["text/plain"] = imageText(img) + ": " + err.Error()
		return data
	}
	data["image/png"] = b.Bytes()
	return data
}
