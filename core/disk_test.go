package core

import "testing"

// A program that reads ahead is put on a disk that was measured with reads only:
// read-ahead takes as long as a read there, and the name stays.
func TestTheSameProgramOnAnotherDisk(t *testing.T) {
	t.Parallel()
	law := func(kind string, seconds float64) ServiceLaw {
		return ServiceLaw{Type: kind, Rows: []ServiceRow{{Time: Const(seconds)}}}
	}
	m := Model{Disks: []Disk{{ID: "sda", Service: []ServiceLaw{law("readahead", 0.01)}}}}
	other, err := m.WithDisk("", Disk{ID: "ssd", Service: []ServiceLaw{law("write", 0.5), law("read", 0.001)}})
	if err != nil {
		t.Fatal(err)
	}
	if d := other.Disks[0]; d.ID != "sda" || !d.serves("readahead") {
		t.Errorf("the disk %q serves read-ahead: %t; want sda to", d.ID, d.serves("readahead"))
	}
	if alone, _ := other.Disks[0].ServiceTime(RequestType{Type: "readahead"}); alone != 0.001 {
		t.Errorf("read-ahead takes %g s, want that of a read", alone)
	}
	if m.Disks[0].Service[0].Rows[0].Time.Value != 0.01 {
		t.Error("the model before has changed")
	}
	if _, err := m.WithDisk("sdb", Disk{}); err == nil {
		t.Error("a disk that does not exist was replaced")
	}
}
