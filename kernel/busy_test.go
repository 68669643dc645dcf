package kernel

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"gaucho/interp/api"
)

// statuses is a client that writes down statuses, with the milliseconds that have passed.
type statuses struct {
	begun time.Time
	list  []string
}

func (s *statuses) Receive() (string, [][]byte, error) { select {} }

func (s *statuses) Send(_ string, frames [][]byte) {
	var of header
	var content struct {
		State string `json:"execution_state"`
	}
	json.Unmarshal(frames[1], &of)
	json.Unmarshal(frames[3], &content)
	s.list = append(s.list, fmt.Sprintf("%d %s %s", time.Since(s.begun).Milliseconds(), of.ID, content.State))
}

// JupyterLab looks at the variables whenever a message of the cell comes, so after a look the cell is said to run in steady beats,
// and not as fast as looks are answered.
func TestLooksBesideACell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := &statuses{begun: time.Now()}
		k := &kernel{composer: &composer{sign: &signer{}, count: func() uint64 { return 1 }}}
		k.publishTo(line{client, "iopub"})
		b := busy{iopub: k.iopub, tidy: newTidier()}
		parent := func(id string, looks bool) *parent {
			return &parent{id: id, raw: json.RawMessage(`{"msg_id":"` + id + `"}`), looks: looks}
		}
		ask := func(id string, looks bool) {
			p := parent(id, looks)
			b.begin(p, false)
			b.end(p)
		}
		cell := parent("cell", false)
		b.begin(cell, true)
		ask("name", false)
		ask("look", true)
		time.Sleep(api.LookPause / 3)
		ask("look", true)
		time.Sleep(api.LookPause)
		ask("look", true)
		b.end(cell)
		ask("look", true)
		time.Sleep(time.Minute)
		want := []string{
			"0 cell busy", "0 name busy", "0 name idle", "0 cell busy", "0 look busy", "0 look idle", "0 look busy",
			"100 look busy", "100 look idle", "100 look busy", "300 cell busy",
			"400 look busy", "400 look idle", "400 look busy", "400 cell idle", "400 look busy", "400 look idle",
		}
		if !slices.Equal(client.list, want) {
			t.Errorf("%q, must be %q", client.list, want)
		}
	})
}
