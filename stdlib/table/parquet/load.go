package parquet

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"strings"
	"time"

	"gaucho/stdlib/table"

	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// Load reads the file. Integers become int, floating-point and decimal numbers float64 (a decimal is rounded to the nearest
// one), dates and timestamps time.Time in UTC, strings and other bytes string. Null is missing, and so is NaN. A column of a
// group has the name group.column. Lists, maps and times of day are an error that names the column, and so is an integer
// that does not fit into an int.
func Load(file string) (t *table.Table, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("parquet: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("parquet: %w", err)
	}
	defer func() { // of a file that is not what it says
		if r := recover(); r != nil {
			t, err = nil, fmt.Errorf("parquet: %s: damaged: %v", file, r)
		}
	}()
	in, err := parquetgo.OpenFile(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("parquet: %s: %w", file, err)
	}
	t, err = table.From(map[string][]int{})
	if err != nil {
		return nil, err
	}
	for _, path := range in.Schema().Columns() {
		name := strings.Join(path, ".")
		leaf, _ := in.Schema().Lookup(path...)
		values, valid, err := column(in, leaf)
		if err != nil {
			return nil, fmt.Errorf("parquet: %s, column %s: %w", file, name, err)
		}
		if t.Has(name) {
			return nil, fmt.Errorf("parquet: %s: two columns called %s", file, name)
		}
		t = t.WithValid(name, values, valid)
	}
	return t, nil
}

// column reads a column of all row groups.
func column(in *parquetgo.File, leaf parquetgo.LeafColumn) (values any, valid []bool, err error) {
	if leaf.MaxRepetitionLevel > 0 {
		return nil, nil, errors.New("a list or map, and a table has one value in each cell")
	}
	rows := int(in.NumRows())
	typ := leaf.Node.Type()
	var logical format.LogicalTypeValue
	if l := typ.LogicalType(); l != nil {
		logical = l.Value
	}
	if logical == nil {
		logical = converted(typ)
	}
	switch l := logical.(type) {
	case *format.TimestampType:
		unit := l.Unit.Value.Duration()
		return read(in, leaf, rows, func(v parquetgo.Value) (time.Time, error) { return instant(v.Int64(), unit), nil })
	case *format.DateType:
		return read(in, leaf, rows, func(v parquetgo.Value) (time.Time, error) { return time.Unix(int64(v.Int32())*86400, 0).UTC(), nil })
	case *format.DecimalType:
		return read(in, leaf, rows, func(v parquetgo.Value) (float64, error) { return decimal(v, int(l.Scale)) })
	case *format.TimeType:
		return nil, nil, errors.New("times of day, which tables do not have; write them as text or as seconds")
	case *format.UUIDType:
		return read(in, leaf, rows, func(v parquetgo.Value) (string, error) { return uuid(v.ByteArray()), nil })
	case *format.IntType:
		if !l.IsSigned {
			return read(in, leaf, rows, unsigned(typ.Kind()))
		}
	}
	switch kind := typ.Kind(); kind {
	case parquetgo.Boolean:
		return read(in, leaf, rows, func(v parquetgo.Value) (bool, error) { return v.Boolean(), nil })
	case parquetgo.Int32:
		return read(in, leaf, rows, func(v parquetgo.Value) (int, error) { return int(v.Int32()), nil })
	case parquetgo.Int64:
		return read(in, leaf, rows, func(v parquetgo.Value) (int, error) {
			if n := v.Int64(); int64(int(n)) != n {
				return 0, fmt.Errorf("%d does not fit into an int", n)
			}
			return int(v.Int64()), nil
		})
	case parquetgo.Int96: // timestamps of Impala and old Spark: nanoseconds of the day, and the Julian day
		return read(in, leaf, rows, func(v parquetgo.Value) (time.Time, error) {
			n := v.Int96()
			return time.Unix((int64(n[2])-2440588)*86400, int64(n[1])<<32|int64(n[0])).UTC(), nil
		})
	case parquetgo.Float:
		return read(in, leaf, rows, func(v parquetgo.Value) (float64, error) { return float64(v.Float()), nil })
	case parquetgo.Double:
		return read(in, leaf, rows, func(v parquetgo.Value) (float64, error) { return v.Double(), nil })
	case parquetgo.ByteArray, parquetgo.FixedLenByteArray:
		return read(in, leaf, rows, func(v parquetgo.Value) (string, error) { return string(v.ByteArray()), nil })
	default:
		return nil, nil, fmt.Errorf("of type %s, which tables do not have", kind)
	}
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

// read reads a column, and which of its values are there.
func read[T any](in *parquetgo.File, leaf parquetgo.LeafColumn, rows int, convert func(parquetgo.Value) (T, error)) (any, []bool, error) {
	values, valid := make([]T, 0, rows), make([]bool, 0, rows)
	buf := make([]parquetgo.Value, 1024)
	for _, group := range in.RowGroups() {
		pages := group.ColumnChunks()[leaf.ColumnIndex].Pages()
		for {
			page, err := pages.ReadPage()
			if err == io.EOF {
				break
			}
			if err != nil {
				pages.Close()
				return nil, nil, err
			}
			in := page.Values()
			for err == nil {
				var n int
				n, err = in.ReadValues(buf)
				for _, v := range buf[:n] {
					var x T
					if !v.IsNull() {
						var bad error
						if x, bad = convert(v); bad != nil {
							pages.Close()
							return nil, nil, fmt.Errorf("row %d: %w", len(values), bad)
						}
					}
					values, valid = append(values, x), append(valid, !v.IsNull())
				}
			}
			parquetgo.Release(page)
			if err != io.EOF {
				pages.Close()
				return nil, nil, err
			}
		}
		if err := pages.Close(); err != nil {
			return nil, nil, err
		}
	}
	if floats, ok := any(values).([]float64); ok {
		for i, there := range valid {
			if !there {
				floats[i] = math.NaN()
			}
		}
	}
	if len(values) != rows {
		return nil, nil, fmt.Errorf("%d values for %d rows: the file is damaged", len(values), rows)
	}
	return values, valid, nil
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
