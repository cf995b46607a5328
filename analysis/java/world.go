package java

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strings"

	"tierscope/analysis/java/classfile"
)

// loaded is a class as the JVM loaded it.
type loaded struct {
	name string
	sum  uint32 // CRC-32 of bytes
	file *classfile.File
}

// world is what is known of the program's classes.
type world struct {
	classes    []loaded // in the order in which they were loaded; a name may occur twice, in two class loaders
	supertypes map[string][]string
	closures   map[string]map[string]bool
	unreadable []string // classes that are no class files to us
}

// jdkSupertypes are the supertypes that matter of classes of the JDK, which
// are often loaded before the agent is and then not seen.
var jdkSupertypes = map[string][]string{
	"java/util/concurrent/ArrayBlockingQueue":                               {blockingQueue},
	"java/util/concurrent/LinkedBlockingQueue":                              {blockingQueue},
	"java/util/concurrent/LinkedBlockingDeque":                              {blockingQueue},
	"java/util/concurrent/BlockingDeque":                                    {blockingQueue},
	"java/util/concurrent/PriorityBlockingQueue":                            {blockingQueue},
	"java/util/concurrent/DelayQueue":                                       {blockingQueue},
	"java/util/concurrent/SynchronousQueue":                                 {blockingQueue},
	"java/util/concurrent/LinkedTransferQueue":                              {blockingQueue},
	"java/util/concurrent/TransferQueue":                                    {blockingQueue},
	"java/util/concurrent/ConcurrentLinkedDeque":                            {concurrentQueue},
	"java/util/concurrent/ExecutorService":                                  {executor},
	"java/util/concurrent/AbstractExecutorService":                          {executorService, executor},
	"java/util/concurrent/ThreadPoolExecutor":                               {executorService, executor},
	"java/util/concurrent/ScheduledExecutorService":                         {executorService, executor},
	"java/util/concurrent/ScheduledThreadPoolExecutor":                      {scheduled, executorService, executor},
	"java/util/concurrent/ForkJoinPool":                                     {executorService, executor},
	"java/util/concurrent/FutureTask":                                       {future, runnable},
	"java/util/concurrent/RunnableFuture":                                   {future, runnable},
	"java/util/concurrent/ScheduledFuture":                                  {future},
	"java/util/concurrent/CompletableFuture":                                {future},
	"java/util/concurrent/ForkJoinTask":                                     {future},
	"java/util/concurrent/locks/ReentrantLock":                              {lockType},
	"java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock":            {lockType},
	"java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock":           {lockType},
	"java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject": {condition},
	"java/lang/Thread":                                                      {runnable},
	timerTask:                                                               {runnable},
}

// readWorld reads what the agent's ClassLog wrote. A last entry that is cut
// off is left out: the program was killed.
func readWorld(name string) (*world, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("loaded classes: %w", err)
	}
	defer f.Close()
	w := &world{supertypes: map[string][]string{}, closures: map[string]map[string]bool{}}
	in := bufio.NewReaderSize(f, 1<<20)
	seen := map[string]bool{}
	for {
		name, b, err := readEntry(in)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return w, nil
		}
		if err != nil {
			return nil, fmt.Errorf("loaded classes: %w", err)
		}
		sum := crc32.ChecksumIEEE(b)
		if key := fmt.Sprint(name, " ", sum); seen[key] {
			continue
		} else {
			seen[key] = true
		}
		file, err := classfile.Parse(b)
		if err != nil {
			w.unreadable = append(w.unreadable, fmt.Sprintf("%s: %v", name, err))
			continue
		}
		w.classes = append(w.classes, loaded{name, sum, file})
		w.supertypes[name] = file.Supertypes()
	}
}

func readEntry(in io.Reader) (name string, b []byte, err error) {
	var n uint16
	if err = binary.Read(in, binary.BigEndian, &n); err != nil {
		return "", nil, err
	}
	text := make([]byte, n)
	if _, err = io.ReadFull(in, text); err != nil {
		return "", nil, err
	}
	var size uint32
	if err = binary.Read(in, binary.BigEndian, &size); err != nil {
		return "", nil, err
	}
	const most = 1 << 28
	if size > most {
		return "", nil, fmt.Errorf("class %s has %d bytes", text, size)
	}
	var class bytes.Buffer // as long as the file has bytes, whatever it says of the class
	if _, err = io.CopyN(&class, in, int64(size)); errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return string(text), class.Bytes(), err
}

// is reports whether a class is, extends or implements a type.
func (w *world) is(class, typ string) bool {
	c := w.closures[class]
	if c == nil {
		c = map[string]bool{}
		w.close(class, c)
		w.closures[class] = c
	}
	return c[typ]
}

func (w *world) close(class string, c map[string]bool) {
	if c[class] {
		return
	}
	c[class] = true
	for _, s := range w.supertypes[class] {
		w.close(s, c)
	}
	for _, s := range jdkSupertypes[class] {
		w.close(s, c)
	}
}

// isJDK reports whether a class belongs to Java itself.
func isJDK(class string) bool {
	for _, p := range []string{"java/", "javax/", "jdk/", "sun/", "com/sun/"} {
		if strings.HasPrefix(class, p) {
			return true
		}
	}
	return false
}
