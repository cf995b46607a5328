package experiment

import (
	"os"
	"path/filepath"
	"testing"
)

// Who opens a ledger clears away what one left that was killed while it did.
func TestALedgerThatIsOpenedHasNothingOfWhoWasKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	left := filepath.Join(dir, probePrefix+"1")
	if err := os.WriteFile(left, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := OpenLedger(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("it is still there (%v)", err)
	}
}
