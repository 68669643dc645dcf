package plotting

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
	"math"
)

// apng builds an animated PNG (https://www.w3.org/TR/png-3/#apng-frame-based-animation): the frames are encoded one by one as PNG
// files, whose image data become the chunks of one file.
type apng struct {
	out    bytes.Buffer
	frames uint32
	fps    float64
	seq    uint32
}

var pngSignature = []byte("\x89PNG\r\n\x1a\n")

func newAPNG(frames int, fps float64) *apng { return &apng{frames: uint32(frames), fps: fps} }

// chunk writes one chunk with its length and checksum.
func (a *apng) chunk(kind string, data []byte) {
	binary.Write(&a.out, binary.BigEndian, uint32(len(data)))
	body := append([]byte(kind), data...)
	a.out.Write(body)
	binary.Write(&a.out, binary.BigEndian, crc32.ChecksumIEEE(body))
}

// add adds a frame, which replaces the part of the picture in its bounds. The first fills the picture.
func (a *apng) add(img *image.RGBA) error {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return err
	}
	first := a.out.Len() == 0
	if first {
		a.out.Write(pngSignature)
	}
	header, data := pngChunks(b.Bytes())
	if first {
		a.chunk("IHDR", header)
		a.chunk("acTL", binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, a.frames), 0))
	}
	r := img.Rect
	var control []byte
	for _, v := range []int{int(a.seq), r.Dx(), r.Dy(), r.Min.X, r.Min.Y} {
		control = binary.BigEndian.AppendUint32(control, uint32(v))
	}
	control = binary.BigEndian.AppendUint16(control, uint16(math.Round(1000/a.fps)))
	control = binary.BigEndian.AppendUint16(control, 1000)
	a.chunk("fcTL", append(control, 0, 0)) // leave the frame when it ends; replace what was there
	a.seq++
	if first {
		a.chunk("IDAT", data)
		return nil
	}
	a.chunk("fdAT", append(binary.BigEndian.AppendUint32(nil, a.seq), data...))
	a.seq++
	return nil
}

func (a *apng) bytes() []byte {
	a.chunk("IEND", nil)
	return a.out.Bytes()
}

// pngChunks returns the header and the image data of a PNG file.
func pngChunks(file []byte) (header, data []byte) {
	for rest := file[len(pngSignature):]; len(rest) >= 12; {
		n := binary.BigEndian.Uint32(rest)
		switch kind := string(rest[4:8]); kind {
		case "IHDR":
			header = rest[8 : 8+n]
		case "IDAT":
			data = append(data, rest[8:8+n]...)
		}
		rest = rest[12+n:]
	}
	return header, data
}
