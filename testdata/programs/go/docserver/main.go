// Docserver answers each request with a PDF of a random passage of a book, as
// the servlet container of Tarvo & Reiss (2014, §5.1) did. Rendering is heavy
// on the CPU, so a pool of fixed size does it:
//
//	net/http: a goroutine per connection ──jobs (bounded channel)──▶ renderers
//	                                     ◀──document (channel per job)──
//
// GET /passage?seed=N&words=M returns the PDF. The seed names the passage, so
// equal requests have equal answers.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"tierscope/testdata/programs/go/report"
)

// job is a task: a passage to render and where to send the document.
type job struct {
	seed  uint64
	words int
	sent  time.Time
	reply chan document
}

type document struct {
	pdf []byte
	err error
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8081", "address to listen on")
	workers := flag.Int("workers", 2, "threads that render")
	queue := flag.Int("queue", 64, "capacity of the job queue")
	words := flag.Int("words", 1500, "in a passage, unless the request says so")
	asJSON := flag.Bool("json", false, "print a summary as one line of JSON when stopped")
	flag.Parse()
	if *workers < 1 || *queue < 0 || *words < 1 {
		log.Fatal("docserver: -workers and -words must be positive, -queue not negative")
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	started := time.Now()
	jobs := make(chan job, *queue)
	times := make([][]time.Duration, *workers)
	var pool sync.WaitGroup
	for w := range *workers {
		pool.Go(func() {
			for j := range jobs {
				pdf, err := render(passage(j.seed, j.words))
				j.reply <- document{pdf, err}
				times[w] = append(times[w], time.Since(j.sent))
			}
		})
	}

	mux := http.NewServeMux()
	mux.HandleFunc("GET /passage", func(w http.ResponseWriter, r *http.Request) {
		j, err := parse(r, *words)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		jobs <- j
		d := <-j.reply
		if d.err != nil {
			http.Error(w, d.err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/pdf")
		w.Header().Set("Content-Length", strconv.Itoa(len(d.pdf)))
		w.Write(d.pdf)
	})
	server := &http.Server{Addr: *addr, Handler: mux}
	stopped := make(chan error, 1)
	context.AfterFunc(ctx, func() {
		grace, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		stopped <- server.Shutdown(grace)
	})
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
	if err := <-stopped; err != nil {
		log.Fatal(err)
	}
	close(jobs)
	pool.Wait()

	if *asJSON {
		if err := report.New("docserver", *workers, started, "", times...).Print(os.Stdout); err != nil {
			log.Print(err)
		}
	}
}

// parse makes a job of a request.
func parse(r *http.Request, words int) (job, error) {
	const most = 100_000 // words of a passage
	j := job{words: words, sent: time.Now(), reply: make(chan document, 1)}
	query := r.URL.Query()
	if s := query.Get("seed"); s != "" {
		seed, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			return j, fmt.Errorf("seed: %w", err)
		}
		j.seed = seed
	}
	if s := query.Get("words"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > most {
			return j, fmt.Errorf("words: %q is not a number from 1 to %d", s, most)
		}
		j.words = n
	}
	return j, nil
}

// passage makes up verses; the seed names them.
func passage(seed uint64, words int) string {
	vocabulary := strings.Fields(`and the of that to in he shall unto for I his a they be is him not them it with all thou
		thy was which my me said but ye their have will thee from as are when this out were by upon man you king house day
		people hand came children land sons men before come went earth also father behold city great name water`)
	random := rand.New(rand.NewPCG(seed, 0))
	var text strings.Builder
	for i := range words {
		text.WriteString(vocabulary[random.IntN(len(vocabulary))])
		if i%25 == 24 {
			text.WriteString(".\n")
		} else {
			text.WriteByte(' ')
		}
	}
	return text.String()
}

// render typesets the text on A4 pages, one numbered verse per line of text.
func render(text string) ([]byte, error) {
	pdf := fpdf.New("P", "mm", "A4", "")
	pdf.SetCatalogSort(true) // equal passages give equal bytes
	pdf.SetCreationDate(time.Unix(0, 0))
	pdf.SetModificationDate(time.Unix(0, 0))
	pdf.AddPage()
	pdf.SetFont("Times", "B", 18)
	pdf.CellFormat(0, 12, "A passage", "", 1, "C", false, 0, "")
	verse := 0
	for line := range strings.Lines(text) {
		verse++
		pdf.SetFont("Times", "B", 9)
		pdf.Write(5, strconv.Itoa(verse)+" ")
		pdf.SetFont("Times", "", 11)
		pdf.MultiCell(0, 5, strings.TrimSpace(line), "", "J", false)
	}
	var out bytes.Buffer
	if err := pdf.Output(&out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
