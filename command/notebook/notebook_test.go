package notebook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestRoundTrip reads every notebook of the repository and writes it again: the meaning must be the same, and so must
// the bytes of those that nbformat wrote.
func TestRoundTrip(t *testing.T) {
	files, err := filepath.Glob("testdata/*.ipynb")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	more, _ := filepath.Glob("../../notebooks/*/*.ipynb")
	for _, file := range append(append(files, more...), "../page/testdata/small.ipynb") {
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		nb, err := Decode(before)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		var after bytes.Buffer
		if err := nb.Encode(&after); err != nil {
			t.Fatal(err)
		}
		again, err := Decode(after.Bytes())
		if err != nil {
			t.Errorf("%s: written again: %v", file, err)
		} else if !reflect.DeepEqual(nb, again) {
			t.Errorf("%s: differs when written and read again", file)
		}
		if filepath.Base(file) == "nbformat.ipynb" && !bytes.Equal(before, after.Bytes()) {
			t.Errorf("%s: other bytes than nbformat's:\n%s", file, after.Bytes())
		}
	}
}

func TestNoNotebook(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "not a notebook: the file is empty"},
		{"package main\n", "not a notebook: line 1 is not JSON"},
		{"{\n \"cells\": [\n  {,\n", "not a notebook: line 3 is not JSON"},
		{"[1, 2]", "not a notebook"},
		{"{}", "nbformat is missing"},
		{`{"nbformat": 3, "worksheets": []}`, "notebook format is 3, must be 4; opening and saving it in JupyterLab converts it"},
		{`{"nbformat": 4, "cells": {}}`, "cells must be a list"},
		{`{"nbformat": 4, "metadata": 3, "cells": []}`, "metadata must be an object"},
		{`{"nbformat": 4, "cells": [7]}`, "cell 1 is no object"},
		{`{"nbformat": 4, "cells": [{"cell_type": "heading"}]}`, `cell 1: cell_type is "heading"`},
		{`{"nbformat": 4, "cells": [{"cell_type": "code", "source": [1]}]}`, "cell 1: source: must be text or a list of lines"},
		{`{"nbformat": 4, "cells": [{"cell_type": "code", "outputs": [{"output_type": "pyout"}]}]}`, `output 1: output_type is "pyout"`},
		{`{"nbformat": 4, "cells": []} x`, "text after the end"},
	} {
		if _, err := Decode([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error is %v, want %q", c.text, err, c.want)
		}
	}
	if _, err := ReadFile("testdata/missing.ipynb"); err == nil || !strings.HasPrefix(err.Error(), "testdata/missing.ipynb: ") {
		t.Errorf("missing file: %v", err)
	}
}

func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "a.ipynb")
	nb := &Notebook{Minor: 5, Cells: []*Cell{{Type: "code", ID: "a", Source: "x := 1\nx < 2 && true"}}}
	if err := nb.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, []byte("x < 2 && true")) {
		t.Errorf("operators are escaped: %s", data)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Cells without an id, with one that another cell has, or that is none, get one, the same each time; other formats have none.
func TestIDs(t *testing.T) {
	for _, minor := range []int{4, 5} {
		const text = `{"nbformat": 4, "nbformat_minor": %d, "metadata": {}, "cells": [
			{"cell_type": "code", "source": "a", "metadata": {}, "outputs": []},
			{"cell_type": "code", "source": "a", "metadata": {}, "outputs": []},
			{"cell_type": "raw", "id": "x", "source": "", "metadata": {}},
			{"cell_type": "raw", "id": "x", "source": "", "metadata": {}},
			{"cell_type": "raw", "id": "no id", "source": "", "metadata": {}}]}`
		var written [2]bytes.Buffer
		for i := range written {
			nb, err := Decode(fmt.Appendf(nil, text, minor))
			if err != nil {
				t.Fatal(err)
			}
			if err := nb.Encode(&written[i]); err != nil {
				t.Fatal(err)
			}
		}
		if written[0].String() != written[1].String() {
			t.Error("the same notebook is written in two ways")
		}
		nb, err := Decode(written[0].Bytes())
		if err != nil {
			t.Fatal(err)
		}
		ids := map[string]bool{}
		for _, c := range nb.Cells {
			ids[c.ID] = true
		}
		if minor < 5 && !ids[""] || minor == 5 && (len(ids) != 5 || ids[""] || ids["no id"] || !ids["x"]) {
			t.Errorf("format 4.%d: ids %v", minor, ids)
		}
	}
}
