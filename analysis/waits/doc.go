// Package waits settles what threads wait for that is no other thread of the model: disks, networks, clients,
// clocks, and the unmodelled side of an object.
package waits
