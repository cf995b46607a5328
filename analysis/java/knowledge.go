package java

import (
	"slices"

	"tierscope/analysis/trace"
)

// Types of the Java library.
const (
	blockingQueue   = "java/util/concurrent/BlockingQueue"
	concurrentQueue = "java/util/concurrent/ConcurrentLinkedQueue"
	concurrentDeque = "java/util/concurrent/ConcurrentLinkedDeque"
	executor        = "java/util/concurrent/Executor"
	executorService = "java/util/concurrent/ExecutorService"
	future          = "java/util/concurrent/Future"
	callable        = "java/util/concurrent/Callable"
	scheduledPool   = "java/util/concurrent/ScheduledThreadPoolExecutor"
	scheduled       = "java/util/concurrent/ScheduledExecutorService"
	delegated       = "java/util/concurrent/Executors$DelegatedExecutorService" // of a single thread, or not to be configured
	socketImpl      = "java/net/SocketImpl"
	completable     = "java/util/concurrent/CompletableFuture"
	completion      = "java/util/concurrent/CompletionService"
	futureTask      = "java/util/concurrent/FutureTask"
	selector        = "java/nio/channels/Selector"
	dispatcher      = "sun/net/httpserver/ServerImpl$Dispatcher" // of the JDK's web server
	forkJoinTask    = "java/util/concurrent/ForkJoinTask"
	forkJoinPool    = "java/util/concurrent/ForkJoinPool"
	semaphore       = "java/util/concurrent/Semaphore"
	latch           = "java/util/concurrent/CountDownLatch"
	barrier         = "java/util/concurrent/CyclicBarrier"
	phaser          = "java/util/concurrent/Phaser"
	exchanger       = "java/util/concurrent/Exchanger"
	stampedLock     = "java/util/concurrent/locks/StampedLock"
	lockType        = "java/util/concurrent/locks/Lock"
	condition       = "java/util/concurrent/locks/Condition"
	lockSupport     = "java/util/concurrent/locks/LockSupport"
	timeUnit        = "java/util/concurrent/TimeUnit"
	thread          = "java/lang/Thread"
	runnable        = "java/lang/Runnable"
	object          = "java/lang/Object"
)

// What a meaning says of the object of an operation, where it is not the
// number of a parameter (the receiver is parameter 0).
const (
	noObject = -1
	resultOf = -2 // the object is what the call returns
)

// meaning is what a call of a method means: the operation that it is, the
// object that it works on, and which parameter is its argument (counted from 1
// for instance methods as well as static ones; 0: none).
type meaning struct {
	owner, name string // type, which subclasses inherit; method
	desc        string // beginning of the descriptor; "": any
	op          trace.Op
	object      int
	arg         int
	kind        string // of the object, for the facts
}

// delayedExecute gives a scheduled executor a task for a time that triggerTime has told just before, from the delay in ns.
const (
	delayedExecute = "delayedExecute"
	triggerTime    = "triggerTime"
)

// drainTo takes many at once, and returns how many.
const drainTo = "drainTo"

// stamped is the kind of a StampedLock: of its optimistic readers, which wait for nobody, nothing is recorded.
const stamped = "stamped lock"

// knowledge is what the methods of the Java library mean. Monitors and starts
// of threads are not calls, or not only, and not here.
var knowledge = slices.Concat(timerKnowledge, []meaning{
	{blockingQueue, "put", "", trace.OpSend, 0, 1, "queue"},
	{blockingQueue, "putFirst", "", trace.OpSend, 0, 1, "queue"},
	{blockingQueue, "putLast", "", trace.OpSend, 0, 1, "queue"},
	{blockingQueue, "transfer", "", trace.OpSend, 0, 1, "queue"},
	{blockingQueue, "add", "", trace.OpSend, 0, 1, "queue"},
	{blockingQueue, "take", "", trace.OpReceive, 0, 0, "queue"},
	{blockingQueue, "takeFirst", "", trace.OpReceive, 0, 0, "queue"},
	{blockingQueue, "takeLast", "", trace.OpReceive, 0, 0, "queue"},
	{blockingQueue, "offer", "", trace.OpTrySend, 0, 1, "queue"},
	{blockingQueue, "offerFirst", "", trace.OpTrySend, 0, 1, "queue"},
	{blockingQueue, "offerLast", "", trace.OpTrySend, 0, 1, "queue"},
	{blockingQueue, "poll", "()", trace.OpTryReceive, 0, 0, "queue"},
	{blockingQueue, "pollFirst", "()", trace.OpTryReceive, 0, 0, "queue"},
	{blockingQueue, "pollLast", "()", trace.OpTryReceive, 0, 0, "queue"},
	{blockingQueue, "poll", "(J", trace.OpReceive, 0, 0, "queue"},
	{blockingQueue, drainTo, "(Ljava/util/Collection;)", trace.OpTryReceive, 0, 0, "queue"},
	{blockingQueue, drainTo, "(Ljava/util/Collection;I)", trace.OpTryReceive, 0, 2, "queue"},
	{concurrentQueue, "offer", "", trace.OpSend, 0, 1, "queue"},
	{concurrentQueue, "add", "", trace.OpSend, 0, 1, "queue"},
	{concurrentQueue, "poll", "", trace.OpTryReceive, 0, 0, "queue"},
	{concurrentDeque, "offerLast", "", trace.OpSend, 0, 1, "queue"},
	{concurrentDeque, "addLast", "", trace.OpSend, 0, 1, "queue"},
	{concurrentDeque, "pollFirst", "", trace.OpTryReceive, 0, 0, "queue"},

	{executor, "execute", "(Ljava/lang/Runnable;)V", trace.OpSend, 0, 1, "executor"},
	{executor, "getTask", "()Ljava/lang/Runnable;", trace.OpReceive, 0, 0, "executor"},
	{scheduledPool, triggerTime, "(J)", trace.OpSleep, noObject, 1, ""}, // only in itself
	{scheduledPool, delayedExecute, "", trace.OpSend, 0, 1, "executor"}, // only in schedule
	{executorService, "shutdown", "()V", trace.OpClose, 0, 0, "executor"},
	{executorService, "awaitTermination", "", trace.OpJoin, 0, 0, "executor"},
	{executorService, "close", "()V", trace.OpNone, 0, 0, ""}, // shuts down and awaits: Java 19
	{future, "get", "", trace.OpWaitGroup, 0, 0, "future"},
	{futureTask, "finishCompletion", "", trace.OpDone, 0, 0, "future"},
	{future, "isDone", "()Z", trace.OpWaitGroup, 0, 0, "future"}, // only in invokeAll, which then does not wait
	{completable, "join", "()", trace.OpWaitGroup, 0, 0, "future"},

	{forkJoinTask, "exec", "()Z", trace.OpReceive, noObject, 0, "fork"}, // only in doExec

	// Calls that tell what the operations inside of them are for.
	{executorService, "submit", "", trace.OpNone, 0, 0, ""},
	{scheduled, "schedule", "", trace.OpNone, 0, 0, ""},
	{executorService, "invokeAll", "", trace.OpNone, 0, 0, ""},
	{executorService, "invokeAny", "", trace.OpNone, 0, 0, ""},
	{completion, "submit", "", trace.OpNone, 0, 0, ""},
	{completion, "take", "", trace.OpNone, 0, 0, ""},
	{completion, "poll", "", trace.OpNone, 0, 0, ""},
	{completable, "supplyAsync", "", trace.OpNone, noObject, 0, ""},
	{completable, "runAsync", "", trace.OpNone, noObject, 0, ""},
	{completable, "thenApplyAsync", "", trace.OpNone, 0, 0, ""},
	{completable, "thenAcceptAsync", "", trace.OpNone, 0, 0, ""},
	{completable, "thenRunAsync", "", trace.OpNone, 0, 0, ""},
	{completable, "thenCombineAsync", "", trace.OpNone, 0, 0, ""},
	{completable, "thenComposeAsync", "", trace.OpNone, 0, 0, ""},
	{completable, "handleAsync", "", trace.OpNone, 0, 0, ""},
	{completable, "whenCompleteAsync", "", trace.OpNone, 0, 0, ""},

	{semaphore, "acquire", "()", trace.OpAcquire, 0, 0, "semaphore"},
	{semaphore, "acquire", "(I", trace.OpAcquire, 0, 1, "semaphore"},
	{semaphore, "acquireUninterruptibly", "()", trace.OpAcquire, 0, 0, "semaphore"},
	{semaphore, "acquireUninterruptibly", "(I", trace.OpAcquire, 0, 1, "semaphore"},
	{semaphore, "tryAcquire", "", trace.OpTryAcquire, 0, 0, "semaphore"},
	{semaphore, "release", "()", trace.OpRelease, 0, 0, "semaphore"},
	{semaphore, "release", "(I", trace.OpRelease, 0, 1, "semaphore"},
	{barrier, "await", "", trace.OpBarrier, 0, 0, "barrier"},
	{phaser, "arriveAndAwaitAdvance", "", trace.OpBarrier, 0, 0, "phaser"},
	{exchanger, "exchange", "", trace.OpBarrier, 0, 0, "exchanger"}, // where two meet
	{latch, "await", "", trace.OpWaitGroup, 0, 0, "latch"},
	{latch, "countDown", "", trace.OpDone, 0, 0, "latch"},
	{latch, "<init>", "(I)", trace.OpAdd, resultOf, 1, "latch"},

	{lockType, "lock", "", trace.OpLock, 0, 0, "lock"},
	{lockType, "lockInterruptibly", "", trace.OpLock, 0, 0, "lock"},
	{lockType, "tryLock", "", trace.OpTryLock, 0, 0, "lock"},
	{lockType, "unlock", "", trace.OpUnlock, 0, 0, "lock"},
	{stampedLock, "writeLock", "", trace.OpLock, 0, 0, stamped},
	{stampedLock, "writeLockInterruptibly", "", trace.OpLock, 0, 0, stamped},
	{stampedLock, "tryWriteLock", "", trace.OpTryLock, 0, 0, stamped},
	{stampedLock, "tryConvertToWriteLock", "", trace.OpTryLock, 0, 0, stamped},
	{stampedLock, "unlockWrite", "", trace.OpUnlock, 0, 0, stamped},
	{stampedLock, "readLock", "", trace.OpRLock, 0, 0, stamped},
	{stampedLock, "readLockInterruptibly", "", trace.OpRLock, 0, 0, stamped},
	{stampedLock, "tryReadLock", "", trace.OpTryRLock, 0, 0, stamped},
	{stampedLock, "unlockRead", "", trace.OpRUnlock, 0, 0, stamped},
	{stampedLock, "unlock", "(J)V", trace.OpUnlock, 0, 0, stamped},
	{lockType, "newCondition", "", trace.OpMake, resultOf, 0, "condition"},
	{condition, "await", "", trace.OpCondWait, 0, 0, "condition"},
	{condition, "awaitNanos", "", trace.OpCondWait, 0, 0, "condition"},
	{condition, "awaitUninterruptibly", "", trace.OpCondWait, 0, 0, "condition"},
	{condition, "awaitUntil", "", trace.OpCondWait, 0, 0, "condition"},
	{condition, "signal", "", trace.OpSignal, 0, 0, "condition"},
	{condition, "signalAll", "", trace.OpBroadcast, 0, 0, "condition"},
	{object, "wait", "()V", trace.OpCondWait, 0, 0, "monitor"},
	{object, "wait", "(J)V", trace.OpCondWait, 0, 0, "monitor"},
	{object, "wait", "(JI)V", trace.OpCondWait, 0, 0, "monitor"},
	{object, "notify", "()V", trace.OpSignal, 0, 0, "monitor"},
	{object, "notifyAll", "()V", trace.OpBroadcast, 0, 0, "monitor"},

	{"java/util/concurrent/atomic/AtomicInteger", "getAndIncrement", "", trace.OpCount, 0, 0, "counter"},
	{"java/util/concurrent/atomic/AtomicInteger", "incrementAndGet", "", trace.OpCount, 0, 0, "counter"},
	{"java/util/concurrent/atomic/AtomicInteger", "getAndAdd", "", trace.OpCount, 0, 1, "counter"},
	{"java/util/concurrent/atomic/AtomicInteger", "addAndGet", "", trace.OpCount, 0, 1, "counter"},
	{"java/util/concurrent/atomic/AtomicInteger", "getAndDecrement", "", trace.OpCount, 0, 0, "counter"},
	{"java/util/concurrent/atomic/AtomicInteger", "decrementAndGet", "", trace.OpCount, 0, 0, "counter"},
	{"java/util/concurrent/atomic/AtomicLong", "getAndIncrement", "", trace.OpCount, 0, 0, "counter"},
	{"java/util/concurrent/atomic/AtomicLong", "incrementAndGet", "", trace.OpCount, 0, 0, "counter"},
	{"java/util/concurrent/atomic/AtomicLong", "getAndAdd", "", trace.OpCount, 0, 1, "counter"},
	{"java/util/concurrent/atomic/AtomicLong", "addAndGet", "", trace.OpCount, 0, 1, "counter"},
	{"java/util/concurrent/atomic/AtomicLong", "getAndDecrement", "", trace.OpCount, 0, 0, "counter"},
	{"java/util/concurrent/atomic/AtomicLong", "decrementAndGet", "", trace.OpCount, 0, 0, "counter"},

	{thread, "join", "", trace.OpJoin, 0, 0, "thread"},
	{thread, "interrupt", "", trace.OpClose, 0, 0, "interrupt"},
	{thread, "sleep", "(J", trace.OpSleep, noObject, 1, ""},
	{timeUnit, "sleep", "(J)V", trace.OpNone, 0, 0, ""},
	{thread, "yield", "()V", trace.OpYield, noObject, 0, ""},
	{thread, "onSpinWait", "()V", trace.OpYield, noObject, 0, ""},
	{lockSupport, "park", "", trace.OpPark, noObject, 0, "thread"},
	{lockSupport, "parkNanos", "(J", trace.OpPark, noObject, 1, "thread"},
	{lockSupport, "parkNanos", "(Ljava/lang/Object;J", trace.OpPark, noObject, 2, "thread"},
	{lockSupport, "unpark", "", trace.OpUnpark, 1, 0, "thread"},

	{"java/io/FileInputStream", "open0", "", trace.OpOpen, 0, 0, "file"},
	{"java/io/FileInputStream", "read0", "", trace.OpFileRead, 0, 0, "file"},
	{"java/io/FileInputStream", "readBytes", "", trace.OpFileRead, 0, 0, "file"},
	{"java/io/FileOutputStream", "open0", "", trace.OpOpen, 0, 0, "file"},
	{"java/io/FileOutputStream", "writeBytes", "", trace.OpFileWrite, 0, 0, "file"},
	{"java/io/RandomAccessFile", "open0", "", trace.OpOpen, 0, 0, "file"},
	{"java/io/RandomAccessFile", "read0", "", trace.OpFileRead, 0, 0, "file"},
	{"java/io/RandomAccessFile", "readBytes", "", trace.OpFileRead, 0, 0, "file"},
	{"java/io/RandomAccessFile", "readBytes0", "", trace.OpFileRead, 0, 0, "file"},
	{"java/io/RandomAccessFile", "writeBytes", "", trace.OpFileWrite, 0, 0, "file"},
	{"java/io/RandomAccessFile", "writeBytes0", "", trace.OpFileWrite, 0, 0, "file"},
	{"java/nio/channels/FileChannel", "read", "", trace.OpFileRead, 0, 0, "file"},
	{"java/nio/channels/FileChannel", "write", "", trace.OpFileWrite, 0, 0, "file"},
	{"java/nio/channels/FileChannel", "transferTo", "", trace.OpFileRead, 0, 0, "file"},
	{"java/nio/channels/FileChannel", "force", "", trace.OpFileSync, 0, 0, "file"},
	{"java/nio/file/Files", "readAllBytes", "", trace.OpFileRead, noObject, 0, "file"},
	{"java/nio/file/Files", "readString", "", trace.OpFileRead, noObject, 0, "file"},
	{"java/nio/file/Files", "readAllLines", "", trace.OpFileRead, noObject, 0, "file"},
	{"java/nio/file/Files", "write", "", trace.OpFileWrite, noObject, 0, "file"},
	{"java/nio/file/Files", "writeString", "", trace.OpFileWrite, noObject, 0, "file"},
	{"java/nio/file/Files", "newInputStream", "", trace.OpOpen, noObject, 0, "file"},
	{"java/nio/file/Files", "newBufferedReader", "", trace.OpOpen, noObject, 0, "file"},
	{"java/nio/file/Files", "newByteChannel", "", trace.OpOpen, noObject, 0, "file"},
	{"java/nio/file/Files", "list", "", trace.OpReadDir, noObject, 0, "file"},
	{"java/nio/file/Files", "newDirectoryStream", "", trace.OpReadDir, noObject, 0, "file"},
	{"java/nio/file/Files", "size", "", trace.OpStat, noObject, 0, "file"},
	{"java/nio/file/Files", "exists", "", trace.OpStat, noObject, 0, "file"},
	{"java/nio/file/Files", "notExists", "", trace.OpStat, noObject, 0, "file"},
	{"java/nio/file/Files", "isDirectory", "", trace.OpStat, noObject, 0, "file"},
	{"java/nio/file/Files", "isRegularFile", "", trace.OpStat, noObject, 0, "file"},
	{"java/nio/file/Files", "getLastModifiedTime", "", trace.OpStat, noObject, 0, "file"},
	{"java/nio/file/Files", "readAttributes", "", trace.OpStat, noObject, 0, "file"},
	{"java/io/File", "exists", "", trace.OpStat, noObject, 0, "file"},
	{"java/io/File", "length", "", trace.OpStat, noObject, 0, "file"},
	{"java/io/File", "lastModified", "", trace.OpStat, noObject, 0, "file"},
	{"java/io/File", "isFile", "", trace.OpStat, noObject, 0, "file"},
	{"java/io/File", "isDirectory", "", trace.OpStat, noObject, 0, "file"},
	{"java/io/File", "canRead", "", trace.OpStat, noObject, 0, "file"},
	{"java/io/File", "canWrite", "", trace.OpStat, noObject, 0, "file"},
	{"java/io/File", "canExecute", "", trace.OpStat, noObject, 0, "file"},
	{"java/io/File", "getCanonicalPath", "", trace.OpStat, noObject, 0, "file"},
	{"java/io/File", "getCanonicalFile", "", trace.OpStat, noObject, 0, "file"},
	{"java/io/File", "list", "", trace.OpReadDir, noObject, 0, "file"},
	{"java/io/File", "listFiles", "", trace.OpReadDir, noObject, 0, "file"},
	{"java/io/File", "delete", "", trace.OpFileChange, noObject, 0, "file"},
	{"java/io/File", "mkdir", "", trace.OpFileChange, noObject, 0, "file"},
	{"java/io/File", "mkdirs", "", trace.OpFileChange, noObject, 0, "file"},
	{"java/io/File", "renameTo", "", trace.OpFileChange, noObject, 0, "file"},
	{"java/io/File", "createNewFile", "", trace.OpFileChange, noObject, 0, "file"},

	{"java/net/ServerSocket", "accept", "", trace.OpAccept, 0, 0, "socket"},
	{"java/net/ServerSocket", "close", "", trace.OpNetClose, 0, 0, "socket"},
	{"java/nio/channels/ServerSocketChannel", "accept", "", trace.OpAccept, noObject, 0, "socket"},
	{selector, "select", "", trace.OpAccept, noObject, 0, "selector"},
	{selector, "selectNow", "", trace.OpAccept, noObject, 0, "selector"},
	{"java/net/Socket", "connect", "", trace.OpConnect, 0, 0, "socket"},
	{socketImpl, "connect", "", trace.OpConnect, 0, 0, "socket"},
	{socketImpl, "close", "", trace.OpNetClose, 0, 0, "socket"},
	{"java/nio/channels/SocketChannel", "connect", "", trace.OpConnect, 0, 0, "socket"},
	{"java/nio/channels/SocketChannel", "read", "", trace.OpNetRead, 0, 0, "socket"},
	{"java/nio/channels/SocketChannel", "write", "", trace.OpNetWrite, 0, 0, "socket"},
	{"java/net/Socket$SocketInputStream", "read", "", trace.OpNetRead, 0, 0, "socket"},
	{"sun/nio/ch/NioSocketImpl", "read", "", trace.OpNetRead, 0, 0, "socket"},
	{"sun/nio/ch/NioSocketImpl", "write", "", trace.OpNetWrite, 0, 3, "socket"},
})

// inside are classes of the JDK in which calls are probed, because what
// happens there is not a call of the program's. Everything else in the JDK is
// computation.
var inside = map[string]bool{
	forkJoinTask: true,
	forkJoinPool: true,
	dispatcher:   true,
	"java/util/concurrent/ThreadPoolExecutor":      true,
	"java/util/concurrent/AbstractExecutorService": true,
	executorService: true,
	scheduledPool:   true,
	delegated:       true,
	futureTask:      true,
	completable:     true,
	"java/util/concurrent/CompletableFuture$UniCompletion":          true,
	"java/util/concurrent/CompletableFuture$TaskSubmitter":          true, // of an executor with a delay
	"java/util/concurrent/ExecutorCompletionService":                true,
	"java/util/concurrent/SubmissionPublisher$BufferedSubscription": true,
	"java/util/concurrent/ExecutorCompletionService$QueueingFuture": true,
	timer:                           true,
	"java/util/TimerThread":         true,
	timeUnit:                        true, // where sleeps say how long
	"java/io/FileInputStream":       true,
	"java/io/FileOutputStream":      true,
	"java/io/RandomAccessFile":      true,
	"java/net/Socket":               true, // where one is closed
	"java/net/DelegatingSocketImpl": true,
	"java/net/SocksSocketImpl":      true, // where one is connected
	"sun/nio/ch/NioSocketImpl$1":    true, // the streams of a socket
	"sun/nio/ch/NioSocketImpl$2":    true,
	"java/lang/Thread":              true,
}

// constructed are classes of the JDK whose constructors say what was made.
var constructed = map[string]bool{
	semaphore: true, barrier: true, phaser: true, latch: true,
	"java/util/concurrent/ArrayBlockingQueue":           true,
	"java/util/concurrent/LinkedBlockingQueue":          true,
	"java/util/concurrent/LinkedBlockingDeque":          true,
	"java/util/concurrent/PriorityBlockingQueue":        true,
	"java/util/concurrent/SynchronousQueue":             true,
	"java/util/concurrent/ThreadPoolExecutor":           true,
	"java/util/concurrent/locks/ReentrantReadWriteLock": true,
}

// meaningOf finds what a call means; nil: nothing of interest.
func (w *world) meaningOf(owner, name, desc string) *meaning {
	for _, i := range byName[name] {
		m := &knowledge[i]
		if len(desc) >= len(m.desc) && desc[:len(m.desc)] == m.desc && (m.owner == object || w.is(owner, m.owner)) {
			return m
		}
	}
	return nil
}

var byName = func() map[string][]int {
	by := map[string][]int{}
	for i, m := range knowledge {
		by[m.name] = append(by[m.name], i)
	}
	return by
}()
