package execution

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// listener says which process listens at the port of an address, as far as we may know:
// " (process 4711, shop)"; proc_net(5), proc_pid_fd(5).
func listener(address string) string {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return ""
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		return ""
	}
	sockets := map[string]bool{}
	for socket, at := range listening("self") {
		if at == n {
			sockets[socket] = true
		}
	}
	files, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, f := range files {
		if to, err := os.Readlink(f); err == nil && sockets[to] {
			process := filepath.Dir(filepath.Dir(f))
			name, _ := os.ReadFile(filepath.Join(process, "comm"))
			return fmt.Sprintf(" (process %s, %s)", filepath.Base(process), strings.TrimSpace(string(name)))
		}
	}
	return ""
}

// listening are the TCP sockets that listen in the network of a process, as links of
// /proc/PID/fd name them, with their ports.
func listening(process string) map[string]int {
	all := map[string]int{}
	for _, table := range []string{"tcp", "tcp6"} {
		data, _ := os.ReadFile(filepath.Join("/proc", process, "net", table)) // there may be no IPv6
		for line := range strings.Lines(string(data)) {
			// sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode
			fields := strings.Fields(line)
			const listen = "0A"
			if len(fields) < 10 || fields[3] != listen {
				continue
			}
			_, port, _ := strings.Cut(fields[1], ":")
			if n, err := strconv.ParseUint(port, 16, 16); err == nil {
				all["socket:["+fields[9]+"]"] = int(n)
			}
		}
	}
	return all
}

// listens is where a process can be asked on this machine: "127.0.0.1:8080"; "" if it
// listens nowhere, or may not be looked at.
func listens(pid int) string {
	sockets := listening(strconv.Itoa(pid))
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	for _, f := range files {
		if to, err := os.Readlink(f); err == nil && sockets[to] > 0 {
			return net.JoinHostPort("127.0.0.1", strconv.Itoa(sockets[to]))
		}
	}
	return ""
}
