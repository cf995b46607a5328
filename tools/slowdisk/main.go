// Slowdisk is a disk with a known service law, to judge models of disks by. It
// is a FUSE file system with one file, disk.img, whose reads and writes are
// served by k simulated servers; a loop device on that file is a real block
// device for the kernel. up.sh and down.sh beside it do the rest.
//
// SIGUSR1 makes it fast, to fill it; SIGUSR2 slow again, and appends to the log: a line
// for every request, in order of completion, with its arrival, the begin and end of
// its service (ns of CLOCK_MONOTONIC), its offset and size, whether it was a write, the
// number that still waited, and how often it was overtaken. While the disk is fast begin
// and end are the arrival: what the kernel sees then is what the way to the disk takes.
package main

import (
	"flag"
	"log"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

func main() {
	var l law
	backing := flag.String("img", "", "backing file")
	mount := flag.String("mnt", "", "where the file system is mounted")
	servers := flag.Int("k", 1, "requests served at once")
	order := flag.String("order", "fifo", "fifo, sstf or random")
	flag.StringVar(&l.kind, "dist", "const", "law of the service time: const, exp or hdd")
	flag.DurationVar(&l.mean, "mean", 5*time.Millisecond, "mean service time (const, exp)")
	rate := flag.Float64("mbs", 100, "transfer, MB/s")
	flag.DurationVar(&l.shortest, "seekmin", 500*time.Microsecond, "time of the shortest seek (hdd)")
	flag.DurationVar(&l.longest, "seekmax", 8*time.Millisecond, "time of the longest seek (hdd)")
	speed := flag.Float64("rpm", 7200, "rotations per minute (hdd)")
	seed := flag.Uint64("seed", 1, "of the random numbers")
	logFile := flag.String("log", "", "file for the log")
	flag.Parse()
	l.perByte = 1e9 / (*rate * 1e6)
	l.rotation = 60e9 / *speed

	file, err := os.OpenFile(*backing, os.O_RDWR, 0)
	if err != nil {
		log.Fatal(err)
	}
	info, err := file.Stat()
	if err != nil {
		log.Fatal(err)
	}
	l.size = info.Size()
	// A thread that sleeps keeps its turn to run Go code until the runtime notices:
	// enough of them, lest others wait.
	runtime.GOMAXPROCS(16)
	d := newDisk(l, *order, *servers, *seed)
	d.name = *logFile
	root := &folder{image: &image{file: file, size: info.Size(), disk: d}}
	server, err := fs.Mount(*mount, root, &fs.Options{MountOptions: fuse.MountOptions{FsName: "slowdisk",
		MaxBackground: 256, ExtraCapabilities: fuse.CAP_ASYNC_DIO, DirectMount: true, MaxWrite: 1 << 20}})
	if err != nil {
		log.Fatal(err)
	}
	go carriers(func() bool { return !d.fast.Load() })
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		for s := range signals {
			switch s {
			case syscall.SIGUSR1:
				d.fast.Store(true)
			case syscall.SIGUSR2:
				d.fast.Store(false)
				if err := d.flush(); err != nil {
					log.Print(err)
				}
			default:
				go func() {
					if err := server.Unmount(); err != nil {
						log.Print(err)
					}
				}()
			}
		}
	}()
	server.Wait()
}
