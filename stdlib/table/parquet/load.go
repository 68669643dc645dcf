package parquet

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/table"

	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"
)

// Load reads the file. Integers become int, floating-point and decimal numbers float64 (a decimal is rounded to the nearest
// one), dates and timestamps time.Time in UTC, strings and other bytes string. Null is missing, and so is NaN. A column of a
// group has the name group.column. Lists, maps and times of day are an error that names the column, and so is an integer
// that does not fit into an int. So are columns that cannot be read reliably: those compressed by LZ4, and booleans written as
// runs (RLE), as some writers do in data pages of version 2.0. Columns are read in parallel.
func Load(file string) (*table.Table, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("parquet: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("parquet: %w", err)
	}
	in, err := open(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("parquet: %s: %w", file, err)
	}
	paths := in.Schema().Columns()
	columns := make([]struct {
		values any
		valid  []bool
		err    error
	}, len(paths))
	parallel.Team(len(paths), func(k, _ int) {
		c := &columns[k]
		leaf, _ := in.Schema().Lookup(paths[k]...)
		c.values, c.valid, c.err = column(in, leaf)
	})
	t, err := table.From(map[string][]int{})
	if err != nil {
		return nil, err
	}
	for k, path := range paths {
		name := strings.Join(path, ".")
		c := columns[k]
		if c.err != nil {
			return nil, fmt.Errorf("parquet: %s, column %s: %w", file, name, c.err)
		}
		if t.Has(name) {
			return nil, fmt.Errorf("parquet: %s: two columns called %s", file, name)
		}
		if c.valid == nil {
			t = t.With(name, c.values)
		} else {
			t = t.WithValid(name, c.values, c.valid)
		}
	}
	return t, nil
}

// open reads the end of a file, which says what is in it.
func open(f io.ReaderAt, size int64) (in *parquetgo.File, err error) {
	defer damaged(&err)
	return parquetgo.OpenFile(f, size)
}

// damaged turns the panic of a file that is not what it says into an error.
func damaged(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("damaged: %v", r)
	}
}

// column reads a column of all row groups.
func column(in *parquetgo.File, leaf parquetgo.LeafColumn) (values any, valid []bool, err error) {
	defer damaged(&err)
	if leaf.MaxRepetitionLevel > 0 {
		return nil, nil, errors.New("a list or map, and a table has one value in each cell")
	}
	if err := readable(in, leaf); err != nil {
		return nil, nil, err
	}
	typ := leaf.Node.Type()
	var logical format.LogicalTypeValue
	if l := typ.LogicalType(); l != nil {
		logical = l.Value
	}
	if logical == nil {
		logical = converted(typ)
	}
	if isHalf(in, leaf) {
		return read(in, leaf, func(v parquetgo.Value) (float64, error) { return half(binary.LittleEndian.Uint16(v.ByteArray())), nil }, nil)
	}
	switch l := logical.(type) {
	case *format.TimestampType:
		unit := l.Unit.Value.Duration()
		return readEach(in, leaf, parquetgo.Value.Int64, (*encoding.Values).Int64, func(n int64) time.Time { return instant(n, unit) })
	case *format.DateType:
		return readEach(in, leaf, parquetgo.Value.Int32, (*encoding.Values).Int32, date)
	case *format.DecimalType:
		return read(in, leaf, func(v parquetgo.Value) (float64, error) { return decimal(v, int(l.Scale)) }, nil)
	case *format.TimeType:
		return nil, nil, errors.New("times of day, which tables do not have; write them as text or as seconds")
	case *format.UUIDType:
		return read(in, leaf, func(v parquetgo.Value) (string, error) { return uuid(v.ByteArray()), nil }, nil)
	case *format.IntType:
		if !l.IsSigned {
			return read(in, leaf, unsigned(typ.Kind()), nil)
		}
	}
	switch kind := typ.Kind(); kind {
	case parquetgo.Boolean:
		return read(in, leaf, func(v parquetgo.Value) (bool, error) { return v.Boolean(), nil }, truths)
	case parquetgo.Int32:
		return readEach(in, leaf, parquetgo.Value.Int32, (*encoding.Values).Int32, func(n int32) int { return int(n) })
	case parquetgo.Int64:
		if strconv.IntSize == 64 { // all fit
			return readEach(in, leaf, parquetgo.Value.Int64, (*encoding.Values).Int64, func(n int64) int { return int(n) })
		}
		return read(in, leaf, func(v parquetgo.Value) (int, error) {
			n := v.Int64()
			if int64(int(n)) != n {
				return 0, fmt.Errorf("%d does not fit into an int", n)
			}
			return int(n), nil
		}, nil)
	case parquetgo.Int96: // timestamps of Impala and old Spark: nanoseconds of the day, and the Julian day
		return read(in, leaf, func(v parquetgo.Value) (time.Time, error) {
			n := v.Int96()
			return time.Unix((int64(n[2])-2440588)*86400, int64(n[1])<<32|int64(n[0])).UTC(), nil
		}, nil)
	case parquetgo.Float:
		return readEach(in, leaf, parquetgo.Value.Float, (*encoding.Values).Float, func(x float32) float64 { return float64(x) })
	case parquetgo.Double:
		return read(in, leaf, func(v parquetgo.Value) (float64, error) { return v.Double(), nil },
			func(to []float64, page encoding.Values, _ int) []float64 { return append(to, page.Double()...) })
	case parquetgo.ByteArray:
		text := texts()
		return read(in, leaf, func(v parquetgo.Value) (string, error) { return text(v.ByteArray()), nil },
			func(to []string, page encoding.Values, _ int) []string {
				data, ends := page.ByteArray() // a text begins where the one before it ends
				begin := ends[0]
				return each(to, ends[1:], func(end uint32) string {
					b := data[begin:end]
					begin = end
					return text(b)
				})
			})
	case parquetgo.FixedLenByteArray:
		return read(in, leaf, func(v parquetgo.Value) (string, error) { return string(v.ByteArray()), nil }, nil)
	default:
		return nil, nil, fmt.Errorf("of type %s, which tables do not have", kind)
	}
}

// readable returns an error for a column that parquet-go 0.32 reads wrongly without a word: it loses pages of LZ4 that take a third of
// their size or more, and takes runs of booleans for whole bytes.
func readable(in *parquetgo.File, leaf parquetgo.LeafColumn) error {
	for _, group := range in.Metadata().RowGroups {
		chunk := group.Columns[leaf.ColumnIndex].MetaData
		if chunk.NumValues == 0 {
			continue
		}
		if chunk.Codec == format.Lz4Raw {
			return errors.New("compressed by LZ4, which cannot be read; write the file with Snappy, gzip or zstd")
		}
		if chunk.Type == format.Boolean && runs(chunk) {
			return errors.New("booleans written as runs (RLE), which cannot be read; write the file with data pages of version 1.0")
		}
	}
	return nil
}

// runs reports whether a column of booleans has pages whose values are runs. Without a count of pages by encoding, all encodings
// are named together, with that of nulls, which is runs too; then values are runs if nothing is plain.
func runs(chunk format.ColumnMetaData) bool {
	for _, s := range chunk.EncodingStats {
		if s.Encoding == format.RLE && (s.PageType == format.DataPage || s.PageType == format.DataPageV2) {
			return true
		}
	}
	return len(chunk.EncodingStats) == 0 && !slices.Contains(chunk.Encoding, format.Plain) && slices.Contains(chunk.Encoding, format.RLE)
}

// isHalf reports whether a column is of floats of 16 bits, for which parquet-go 0.32 has no type.
func isHalf(in *parquetgo.File, leaf parquetgo.LeafColumn) bool {
	k := -1
	for _, e := range in.Metadata().Schema {
		if e.Type.Valid { // groups have none
			k++
		}
		if k == leaf.ColumnIndex {
			_, is := e.LogicalType.Value.(*format.Float16Type)
			return is
		}
	}
	return false
}

// half returns a float of 16 bits: a sign, 5 bits of the exponent, and 10 of the fraction (IEEE 754, binary16).
func half(b uint16) float64 {
	exponent, fraction := int(b>>10&31), float64(b&1023)
	var x float64
	switch exponent {
	case 0:
		x = math.Ldexp(fraction, -24)
	case 31:
		if x = math.Inf(1); fraction != 0 {
			x = math.NaN()
		}
	default:
		x = math.Ldexp(1024+fraction, exponent-25)
	}
	if b>>15 == 1 {
		return -x
	}
	return x
}

// converted returns the logical type that a file of the older notation means.
func converted(typ parquetgo.Type) format.LogicalTypeValue {
	c := typ.ConvertedType()
	if c == nil {
		return nil
	}
	switch *c {
	case deprecated.Date:
		return &format.DateType{}
	case deprecated.TimestampMillis:
		return &format.TimestampType{Unit: format.TimeUnit{Value: &format.MilliSeconds{}}}
	case deprecated.TimestampMicros:
		return &format.TimestampType{Unit: format.TimeUnit{Value: &format.MicroSeconds{}}}
	case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
		return &format.IntType{}
	}
	return nil
}

func unsigned(kind parquetgo.Kind) func(v parquetgo.Value) (int, error) {
	return func(v parquetgo.Value) (int, error) {
		n := uint64(v.Uint32())
		if kind == parquetgo.Int64 {
			n = v.Uint64()
		}
		if n > math.MaxInt {
			return 0, fmt.Errorf("%d does not fit into an int", n)
		}
		return int(n), nil
	}
}

// instant returns the time n units after the epoch.
func instant(n int64, unit time.Duration) time.Time {
	perSecond := int64(time.Second / unit)
	s := n / perSecond
	if n%perSecond < 0 {
		s--
	}
	return time.Unix(s, (n-s*perSecond)*int64(unit)).UTC()
}

// date returns the day that is n days after the epoch.
func date(n int32) time.Time { return time.Unix(int64(n)*86400, 0).UTC() }

// decimal returns an integer by a power of ten, rounded once.
func decimal(v parquetgo.Value, scale int) (float64, error) {
	n := new(big.Int)
	switch v.Kind() {
	case parquetgo.Int32:
		n.SetInt64(int64(v.Int32()))
	case parquetgo.Int64:
		n.SetInt64(v.Int64())
	default: // bytes of two's complement, the highest first
		b := v.ByteArray()
		n.SetBytes(b)
		if len(b) > 0 && b[0] >= 0x80 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
	}
	r := new(big.Rat).SetFrac(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil))
	x, _ := r.Float64()
	return x, nil
}

func uuid(b []byte) string {
	h := hex.EncodeToString(b)
	if len(h) != 32 {
		return h
	}
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
