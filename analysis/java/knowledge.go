package java

import (
	"tierscope/analysis"
)

// Types of the Java library.
const (
	blockingQueue   = "java/util/concurrent/BlockingQueue"
	concurrentQueue = "java/util/concurrent/ConcurrentLinkedQueue"
	executor        = "java/util/concurrent/Executor"
	executorService = "java/util/concurrent/ExecutorService"
	future          = "java/util/concurrent/Future"
	callable        = "java/util/concurrent/Callable"
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
	op          analysis.Op
	object      int
	arg         int
	kind        string // of the object, for the facts
}

// knowledge is what the methods of the Java library mean. Monitors and starts
// of threads are not calls, or not only, and not here.
var knowledge = []meaning{
	{blockingQueue, "put", "", analysis.OpSend, 0, 1, "queue"},
	{blockingQueue, "putFirst", "", analysis.OpSend, 0, 1, "queue"},
	{blockingQueue, "putLast", "", analysis.OpSend, 0, 1, "queue"},
	{blockingQueue, "transfer", "", analysis.OpSend, 0, 1, "queue"},
	{blockingQueue, "add", "", analysis.OpSend, 0, 1, "queue"},
	{blockingQueue, "take", "", analysis.OpReceive, 0, 0, "queue"},
	{blockingQueue, "takeFirst", "", analysis.OpReceive, 0, 0, "queue"},
	{blockingQueue, "takeLast", "", analysis.OpReceive, 0, 0, "queue"},
	{blockingQueue, "offer", "", analysis.OpTrySend, 0, 1, "queue"},
	{blockingQueue, "offerFirst", "", analysis.OpTrySend, 0, 1, "queue"},
	{blockingQueue, "offerLast", "", analysis.OpTrySend, 0, 1, "queue"},
	{blockingQueue, "poll", "()", analysis.OpTryReceive, 0, 0, "queue"},
	{blockingQueue, "pollFirst", "()", analysis.OpTryReceive, 0, 0, "queue"},
	{blockingQueue, "pollLast", "()", analysis.OpTryReceive, 0, 0, "queue"},
	{blockingQueue, "poll", "(J", analysis.OpReceive, 0, 0, "queue"},
	{concurrentQueue, "offer", "", analysis.OpSend, 0, 1, "queue"},
	{concurrentQueue, "add", "", analysis.OpSend, 0, 1, "queue"},
	{concurrentQueue, "poll", "", analysis.OpTryReceive, 0, 0, "queue"},

	{executor, "execute", "(Ljava/lang/Runnable;)V", analysis.OpSend, 0, 1, "executor"},
	{executor, "getTask", "()Ljava/lang/Runnable;", analysis.OpReceive, 0, 0, "executor"},
	{executorService, "shutdown", "()V", analysis.OpClose, 0, 0, "executor"},
	{executorService, "awaitTermination", "", analysis.OpJoin, 0, 0, "executor"},
	{future, "get", "", analysis.OpWaitGroup, 0, 0, "future"},
	{futureTask, "finishCompletion", "", analysis.OpDone, 0, 0, "future"},
	{future, "isDone", "()Z", analysis.OpWaitGroup, 0, 0, "future"}, // only in invokeAll, which then does not wait
	{completable, "join", "()", analysis.OpWaitGroup, 0, 0, "future"},

	{forkJoinTask, "exec", "()Z", analysis.OpReceive, noObject, 0, "fork"}, // only in doExec

	// Calls that tell what the operations inside of them are for.
	{executorService, "submit", "", analysis.OpNone, 0, 0, ""},
	{executorService, "invokeAll", "", analysis.OpNone, 0, 0, ""},
	{executorService, "invokeAny", "", analysis.OpNone, 0, 0, ""},
	{completion, "submit", "", analysis.OpNone, 0, 0, ""},
	{completion, "take", "", analysis.OpNone, 0, 0, ""},
	{completion, "poll", "", analysis.OpNone, 0, 0, ""},
	{completable, "supplyAsync", "", analysis.OpNone, noObject, 0, ""},
	{completable, "runAsync", "", analysis.OpNone, noObject, 0, ""},
	{completable, "thenApplyAsync", "", analysis.OpNone, 0, 0, ""},
	{completable, "thenAcceptAsync", "", analysis.OpNone, 0, 0, ""},
	{completable, "thenRunAsync", "", analysis.OpNone, 0, 0, ""},
	{completable, "thenCombineAsync", "", analysis.OpNone, 0, 0, ""},
	{completable, "thenComposeAsync", "", analysis.OpNone, 0, 0, ""},
	{completable, "handleAsync", "", analysis.OpNone, 0, 0, ""},
	{completable, "whenCompleteAsync", "", analysis.OpNone, 0, 0, ""},

	{semaphore, "acquire", "()", analysis.OpAcquire, 0, 0, "semaphore"},
	{semaphore, "acquire", "(I", analysis.OpAcquire, 0, 1, "semaphore"},
	{semaphore, "acquireUninterruptibly", "()", analysis.OpAcquire, 0, 0, "semaphore"},
	{semaphore, "acquireUninterruptibly", "(I", analysis.OpAcquire, 0, 1, "semaphore"},
	{semaphore, "tryAcquire", "", analysis.OpTryAcquire, 0, 0, "semaphore"},
	{semaphore, "release", "()", analysis.OpRelease, 0, 0, "semaphore"},
	{semaphore, "release", "(I", analysis.OpRelease, 0, 1, "semaphore"},
	{barrier, "await", "", analysis.OpBarrier, 0, 0, "barrier"},
	{phaser, "arriveAndAwaitAdvance", "", analysis.OpBarrier, 0, 0, "phaser"},
	{latch, "await", "", analysis.OpWaitGroup, 0, 0, "latch"},
	{latch, "countDown", "", analysis.OpDone, 0, 0, "latch"},
	{latch, "<init>", "(I)", analysis.OpAdd, resultOf, 1, "latch"},

	{lockType, "lock", "", analysis.OpLock, 0, 0, "lock"},
	{lockType, "lockInterruptibly", "", analysis.OpLock, 0, 0, "lock"},
	{lockType, "tryLock", "", analysis.OpTryLock, 0, 0, "lock"},
	{lockType, "unlock", "", analysis.OpUnlock, 0, 0, "lock"},
	{lockType, "newCondition", "", analysis.OpMake, resultOf, 0, "condition"},
	{condition, "await", "", analysis.OpCondWait, 0, 0, "condition"},
	{condition, "awaitNanos", "", analysis.OpCondWait, 0, 0, "condition"},
	{condition, "awaitUninterruptibly", "", analysis.OpCondWait, 0, 0, "condition"},
	{condition, "awaitUntil", "", analysis.OpCondWait, 0, 0, "condition"},
	{condition, "signal", "", analysis.OpSignal, 0, 0, "condition"},
	{condition, "signalAll", "", analysis.OpBroadcast, 0, 0, "condition"},
	{object, "wait", "()V", analysis.OpCondWait, 0, 0, "monitor"},
	{object, "wait", "(J)V", analysis.OpCondWait, 0, 0, "monitor"},
	{object, "wait", "(JI)V", analysis.OpCondWait, 0, 0, "monitor"},
	{object, "notify", "()V", analysis.OpSignal, 0, 0, "monitor"},
	{object, "notifyAll", "()V", analysis.OpBroadcast, 0, 0, "monitor"},

	{"java/util/concurrent/atomic/AtomicInteger", "getAndIncrement", "", analysis.OpCount, 0, 0, "counter"},
	{"java/util/concurrent/atomic/AtomicInteger", "incrementAndGet", "", analysis.OpCount, 0, 0, "counter"},
	{"java/util/concurrent/atomic/AtomicInteger", "getAndAdd", "", analysis.OpCount, 0, 1, "counter"},
	{"java/util/concurrent/atomic/AtomicInteger", "addAndGet", "", analysis.OpCount, 0, 1, "counter"},
	{"java/util/concurrent/atomic/AtomicInteger", "getAndDecrement", "", analysis.OpCount, 0, 0, "counter"},
	{"java/util/concurrent/atomic/AtomicInteger", "decrementAndGet", "", analysis.OpCount, 0, 0, "counter"},
	{"java/util/concurrent/atomic/AtomicLong", "getAndIncrement", "", analysis.OpCount, 0, 0, "counter"},
	{"java/util/concurrent/atomic/AtomicLong", "incrementAndGet", "", analysis.OpCount, 0, 0, "counter"},
	{"java/util/concurrent/atomic/AtomicLong", "getAndAdd", "", analysis.OpCount, 0, 1, "counter"},
	{"java/util/concurrent/atomic/AtomicLong", "addAndGet", "", analysis.OpCount, 0, 1, "counter"},
	{"java/util/concurrent/atomic/AtomicLong", "getAndDecrement", "", analysis.OpCount, 0, 0, "counter"},
	{"java/util/concurrent/atomic/AtomicLong", "decrementAndGet", "", analysis.OpCount, 0, 0, "counter"},

	{thread, "join", "", analysis.OpJoin, 0, 0, "thread"},
	{thread, "sleep", "(J", analysis.OpSleep, noObject, 1, ""},
	{timeUnit, "sleep", "(J)V", analysis.OpNone, 0, 0, ""},
	{thread, "yield", "()V", analysis.OpYield, noObject, 0, ""},
	{thread, "onSpinWait", "()V", analysis.OpYield, noObject, 0, ""},
	{lockSupport, "park", "", analysis.OpPark, noObject, 0, "thread"},
	{lockSupport, "parkNanos", "", analysis.OpPark, noObject, 0, "thread"},
	{lockSupport, "unpark", "", analysis.OpUnpark, 1, 0, "thread"},

	{"java/io/FileInputStream", "open0", "", analysis.OpOpen, 0, 0, "file"},
	{"java/io/FileInputStream", "read0", "", analysis.OpFileRead, 0, 0, "file"},
	{"java/io/FileInputStream", "readBytes", "", analysis.OpFileRead, 0, 0, "file"},
	{"java/io/FileOutputStream", "open0", "", analysis.OpOpen, 0, 0, "file"},
	{"java/io/FileOutputStream", "writeBytes", "", analysis.OpFileWrite, 0, 0, "file"},
	{"java/io/RandomAccessFile", "open0", "", analysis.OpOpen, 0, 0, "file"},
	{"java/io/RandomAccessFile", "read0", "", analysis.OpFileRead, 0, 0, "file"},
	{"java/io/RandomAccessFile", "readBytes", "", analysis.OpFileRead, 0, 0, "file"},
	{"java/io/RandomAccessFile", "readBytes0", "", analysis.OpFileRead, 0, 0, "file"},
	{"java/io/RandomAccessFile", "writeBytes", "", analysis.OpFileWrite, 0, 0, "file"},
	{"java/io/RandomAccessFile", "writeBytes0", "", analysis.OpFileWrite, 0, 0, "file"},
	{"java/nio/channels/FileChannel", "read", "", analysis.OpFileRead, 0, 0, "file"},
	{"java/nio/channels/FileChannel", "write", "", analysis.OpFileWrite, 0, 0, "file"},
	{"java/nio/channels/FileChannel", "transferTo", "", analysis.OpFileRead, 0, 0, "file"},
	{"java/nio/channels/FileChannel", "force", "", analysis.OpFileSync, 0, 0, "file"},
	{"java/nio/file/Files", "readAllBytes", "", analysis.OpFileRead, noObject, 0, "file"},
	{"java/nio/file/Files", "readString", "", analysis.OpFileRead, noObject, 0, "file"},
	{"java/nio/file/Files", "readAllLines", "", analysis.OpFileRead, noObject, 0, "file"},
	{"java/nio/file/Files", "write", "", analysis.OpFileWrite, noObject, 0, "file"},
	{"java/nio/file/Files", "writeString", "", analysis.OpFileWrite, noObject, 0, "file"},
	{"java/nio/file/Files", "newInputStream", "", analysis.OpOpen, noObject, 0, "file"},
	{"java/nio/file/Files", "newBufferedReader", "", analysis.OpOpen, noObject, 0, "file"},
	{"java/nio/file/Files", "newByteChannel", "", analysis.OpOpen, noObject, 0, "file"},
	{"java/nio/file/Files", "list", "", analysis.OpReadDir, noObject, 0, "file"},
	{"java/nio/file/Files", "newDirectoryStream", "", analysis.OpReadDir, noObject, 0, "file"},
	{"java/nio/file/Files", "size", "", analysis.OpStat, noObject, 0, "file"},
	{"java/nio/file/Files", "exists", "", analysis.OpStat, noObject, 0, "file"},
	{"java/nio/file/Files", "notExists", "", analysis.OpStat, noObject, 0, "file"},
	{"java/nio/file/Files", "isDirectory", "", analysis.OpStat, noObject, 0, "file"},
	{"java/nio/file/Files", "isRegularFile", "", analysis.OpStat, noObject, 0, "file"},
	{"java/nio/file/Files", "getLastModifiedTime", "", analysis.OpStat, noObject, 0, "file"},
	{"java/nio/file/Files", "readAttributes", "", analysis.OpStat, noObject, 0, "file"},
	{"java/io/File", "exists", "", analysis.OpStat, noObject, 0, "file"},
	{"java/io/File", "length", "", analysis.OpStat, noObject, 0, "file"},
	{"java/io/File", "lastModified", "", analysis.OpStat, noObject, 0, "file"},
	{"java/io/File", "isFile", "", analysis.OpStat, noObject, 0, "file"},
	{"java/io/File", "isDirectory", "", analysis.OpStat, noObject, 0, "file"},
	{"java/io/File", "canRead", "", analysis.OpStat, noObject, 0, "file"},
	{"java/io/File", "canWrite", "", analysis.OpStat, noObject, 0, "file"},
	{"java/io/File", "canExecute", "", analysis.OpStat, noObject, 0, "file"},
	{"java/io/File", "getCanonicalPath", "", analysis.OpStat, noObject, 0, "file"},
	{"java/io/File", "getCanonicalFile", "", analysis.OpStat, noObject, 0, "file"},
	{"java/io/File", "list", "", analysis.OpReadDir, noObject, 0, "file"},
	{"java/io/File", "listFiles", "", analysis.OpReadDir, noObject, 0, "file"},
	{"java/io/File", "delete", "", analysis.OpFileChange, noObject, 0, "file"},
	{"java/io/File", "mkdir", "", analysis.OpFileChange, noObject, 0, "file"},
	{"java/io/File", "mkdirs", "", analysis.OpFileChange, noObject, 0, "file"},
	{"java/io/File", "renameTo", "", analysis.OpFileChange, noObject, 0, "file"},
	{"java/io/File", "createNewFile", "", analysis.OpFileChange, noObject, 0, "file"},

	{"java/net/ServerSocket", "accept", "", analysis.OpAccept, noObject, 0, "socket"},
	{"java/nio/channels/ServerSocketChannel", "accept", "", analysis.OpAccept, noObject, 0, "socket"},
	{selector, "select", "", analysis.OpAccept, noObject, 0, "selector"},
	{selector, "selectNow", "", analysis.OpAccept, noObject, 0, "selector"},
	{"java/net/Socket", "connect", "", analysis.OpConnect, 0, 0, "socket"},
	{"java/nio/channels/SocketChannel", "connect", "", analysis.OpConnect, 0, 0, "socket"},
	{"java/nio/channels/SocketChannel", "read", "", analysis.OpNetRead, 0, 0, "socket"},
	{"java/nio/channels/SocketChannel", "write", "", analysis.OpNetWrite, 0, 0, "socket"},
	{"java/net/Socket$SocketInputStream", "read", "", analysis.OpNetRead, 0, 0, "socket"},
	{"sun/nio/ch/NioSocketImpl", "read", "", analysis.OpNetRead, 0, 0, "socket"},
	{"sun/nio/ch/NioSocketImpl", "write", "", analysis.OpNetWrite, 0, 0, "socket"},
}

// inside are classes of the JDK in which calls are probed, because what
// happens there is not a call of the program's. Everything else in the JDK is
// computation.
var inside = map[string]bool{
	forkJoinTask: true,
	forkJoinPool: true,
	dispatcher:   true,
	"java/util/concurrent/ThreadPoolExecutor":      true,
	"java/util/concurrent/AbstractExecutorService": true,
	futureTask:  true,
	completable: true,
	"java/util/concurrent/CompletableFuture$UniCompletion":          true,
	"java/util/concurrent/ExecutorCompletionService":                true,
	"java/util/concurrent/ExecutorCompletionService$QueueingFuture": true,
	timeUnit:                   true, // where sleeps say how long in ms
	"java/io/FileInputStream":  true,
	"java/io/FileOutputStream": true,
	"java/io/RandomAccessFile": true,
	"sun/nio/ch/NioSocketImpl": true,
	"java/lang/Thread":         true,
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
