// Api is a web service over a table in memory: GET /user?id=N shows a user,
// GET /top?n=N the users with the most points, GET /play?id=N lets one win some.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"sync"
	"syscall"
)

type user struct {
	ID     int    `json:"id"`
	Name   string `json:"name"`
	Points int    `json:"points"`
	Games  []int  `json:"games"`
}

type server struct {
	mu    sync.RWMutex
	users []user
	moves int
}

func (s *server) number(w http.ResponseWriter, r *http.Request, name string, limit int) (int, bool) {
	n, err := strconv.Atoi(r.FormValue(name))
	if err != nil || n < 0 || n >= limit {
		http.Error(w, "bad "+name, http.StatusBadRequest)
		return 0, false
	}
	return n, true
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		log.Print(err)
	}
}

func (s *server) show(w http.ResponseWriter, r *http.Request) {
	if id, ok := s.number(w, r, "id", len(s.users)); ok {
		s.mu.RLock()
		u := s.users[id]
		u.Games = slices.Clone(u.Games)
		s.mu.RUnlock()
		answer(w, u)
	}
}

func (s *server) top(w http.ResponseWriter, r *http.Request) {
	if n, ok := s.number(w, r, "n", len(s.users)); ok {
		s.mu.RLock()
		users := slices.Clone(s.users)
		s.mu.RUnlock()
		slices.SortFunc(users, func(a, b user) int { return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.ID, b.ID)) })
		answer(w, users[:n])
	}
}

// play rolls dice until they show a double often enough.
func (s *server) play(w http.ResponseWriter, r *http.Request) {
	id, ok := s.number(w, r, "id", len(s.users))
	if !ok {
		return
	}
	points := 0
	for range s.moves {
		if a, b := rand.IntN(6), rand.IntN(6); a == b {
			points += a
		}
	}
	s.mu.Lock()
	u := &s.users[id]
	u.Points += points / 1000
	u.Games = append(u.Games, points)
	if len(u.Games) > 20 {
		u.Games = u.Games[1:]
	}
	s.mu.Unlock()
	answer(w, map[string]int{"points": points})
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8082", "address to listen on")
	users := flag.Int("users", 2000, "in the table")
	moves := flag.Int("moves", 100000, "of a game")
	concurrent := flag.Int("concurrent", 4, "requests that are handled at a time")
	flag.Parse()

	s := &server{moves: *moves}
	for i := range *users {
		s.users = append(s.users, user{ID: i, Name: fmt.Sprintf("user %d", i), Points: i * 7919 % 1000})
	}
	slots := make(chan struct{}, *concurrent)
	limited := func(h http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			slots <- struct{}{}
			defer func() { <-slots }()
			h(w, r)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /user", limited(s.show))
	mux.HandleFunc("GET /top", limited(s.top))
	mux.HandleFunc("GET /play", limited(s.play))
	web := &http.Server{Addr: *addr, Handler: mux}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-stop
		web.Close()
	}()
	if err := web.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
}
