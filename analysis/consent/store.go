package consent

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tierscope/analysis/trace"
	"tierscope/core"
	"tierscope/project"
)

// Format is the format of a consent in the user's configuration.
var Format = core.Format{Name: "tierscope-consent", Version: 1}

// record is a consent as it is kept. Its name is a hash of what was agreed to; what
// it says is for those who look into the folder.
type record struct {
	Project string   `json:"project"`
	Given   string   `json:"given"` // RFC 3339
	Says    []string `json:"says"`
}

// file is where the consent to the request is kept: beside the settings of the user.
func (r Request) file() (string, error) {
	base, err := os.UserConfigDir()
	if err != nil {
		return "", err
	}
	dir, err := r.place()
	if err != nil {
		return "", err
	}
	content, err := json.Marshal(struct {
		Dir      string
		Workload trace.Workload
		Hows     []string
	}{dir, r.Workload, r.Hows})
	if err != nil {
		return "", err
	}
	return filepath.Join(base, "tierscope", "consents", fmt.Sprintf("%x", sha256.Sum256(content))[:32]+".json"), nil
}

// Given reports whether the user has agreed before, or there is nothing to agree to.
func (r Request) Given() bool {
	if r.Workload.Program == "" && len(r.Hows) == 0 {
		return true
	}
	name, err := r.file()
	if err != nil {
		return false
	}
	var kept record
	return project.Load(name, Format, &kept) == nil
}

// HostError is a load on machines that nobody has named.
type HostError struct{ Hosts []string }

// Error names the hosts.
func (e *HostError) Error() string {
	return "the project would send a load to " + strings.Join(e.Hosts, ", ") + ", which is not this machine; allow that by name"
}

// Give keeps the consent of the user, who has seen Lines or has typed what they say,
// and who has named hosts that a load may go to.
func (r Request) Give(hosts ...string) error {
	unnamed := slices.DeleteFunc(r.Remote(), func(h string) bool { return slices.Contains(hosts, h) })
	if len(unnamed) > 0 {
		return &HostError{unnamed}
	}
	name, err := r.file()
	if err != nil {
		return fmt.Errorf("the consent cannot be kept: %w", err)
	}
	dir, err := r.place()
	if err != nil {
		return err
	}
	return project.Save(name, Format, record{dir, time.Now().UTC().Format(time.RFC3339), r.Lines()})
}
