package core

import (
	"fmt"
	"slices"
)

// WithDisk returns the model with the disk id, "" for its only one, replaced by
// d under the name that it had: the same program on another disk. Types of
// requests for which d has no law get that of its reads, or its first. It returns
// an error if there is no such disk.
func (m *Model) WithDisk(id string, d Disk) (Model, error) {
	if id == "" {
		if len(m.Disks) != 1 {
			return Model{}, fmt.Errorf("the model has %d disks; name the one to replace", len(m.Disks))
		}
		id = m.Disks[0].ID
	}
	at := slices.IndexFunc(m.Disks, func(d Disk) bool { return d.ID == id })
	if at < 0 {
		return Model{}, fmt.Errorf("the model has no disk %q", id)
	}
	out := *m
	out.Disks = slices.Clone(m.Disks)
	d.ID = id
	if len(d.Service) > 0 && !slices.ContainsFunc(d.Service, func(l ServiceLaw) bool { return l.Type == "" }) {
		other := d.Service[max(0, slices.IndexFunc(d.Service, func(l ServiceLaw) bool { return l.Type == "read" }))]
		other.Type = ""
		d.Service = append(slices.Clone(d.Service), other)
	}
	out.Disks[at] = d
	return out, nil
}

// Laws returns the service laws of the disk, with what the bandwidth of a link adds to them.
func (d *Disk) Laws() []ServiceLaw {
	if d.Bandwidth == 0 {
		return d.Service
	}
	if len(d.Service) == 0 {
		return []ServiceLaw{{Rows: []ServiceRow{{Time: Const(0), PerByte: 1 / d.Bandwidth}}}}
	}
	laws := slices.Clone(d.Service)
	for i := range laws {
		laws[i].Rows = slices.Clone(laws[i].Rows)
		for j := range laws[i].Rows {
			laws[i].Rows[j].PerByte += 1 / d.Bandwidth
		}
	}
	return laws
}
