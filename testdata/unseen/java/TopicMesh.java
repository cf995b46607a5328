import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.Adler32;

/**
 * TopicMesh: a message broker in one process. Publishers send messages to topics; the broker appends them to the
 * journal of the topic (synced to disk every so many messages) and puts them to the mailbox of each subscriber of the
 * topic. Subscribers drain their mailboxes in batches and acknowledge; a publisher has a window of messages which
 * are not acknowledged by all the subscribers yet.
 */
public final class TopicMesh {

    // ------------------------------------------------------------------ settings

    private static final Map<String, Integer> SETTINGS = new LinkedHashMap<>();

    static {
        SETTINGS.put("publishers", 3);
        SETTINGS.put("topics", 4);
        SETTINGS.put("subscribers", 2);
        SETTINGS.put("messages", 9000);
        SETTINGS.put("mailbox", 128);
        SETTINGS.put("batch", 32);
        SETTINGS.put("window", 64);
        SETTINGS.put("payload", 512);
        SETTINGS.put("compose", 30);
        SETTINGS.put("work", 50);
        SETTINGS.put("sync-every", 64);
        SETTINGS.put("sync-ms", 2);
    }

    private static void read() {
        SETTINGS.replaceAll((name, standard) -> {
            int v = Integer.getInteger(name, standard);
            boolean mayBeZero = List.of("messages", "compose", "work", "sync-every", "sync-ms").contains(name);
            if (v < (mayBeZero ? 0 : 1)) throw new IllegalArgumentException(name + ": too small");
            return v;
        });
    }

    private static int setting(String name) {
        return SETTINGS.get(name);
    }

    static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    // ------------------------------------------------------------------ messages and acknowledgements

    static final class Message {
        final int id;
        final byte[] payload;
        final long publishedNanos = System.nanoTime();
        private final Window window;
        private int outstanding;

        Message(int id, byte[] payload, Window window, int receivers) {
            this.id = id;
            this.payload = payload;
            this.window = window;
            this.outstanding = receivers;
        }

        void acknowledge() {
            boolean complete;
            synchronized (this) {
                complete = --outstanding == 0;
            }
            if (complete) window.release(System.nanoTime() - publishedNanos);
        }
    }

    /** The messages of one publisher which are under way. */
    static final class Window {
        private final int limit;
        private int open;
        private long completed;
        private long latencyNanos;
        private long stalls;

        Window(int limit) {
            this.limit = limit;
        }

        synchronized void acquire() throws InterruptedException {
            if (open >= limit) stalls++;
            while (open >= limit) wait();
            open++;
        }

        synchronized void release(long latency) {
            open--;
            completed++;
            latencyNanos += latency;
            notifyAll();
        }

        synchronized void awaitEmpty() throws InterruptedException {
            while (open > 0) wait();
        }

        synchronized long completed() {
            return completed;
        }

        synchronized long latencyNanos() {
            return latencyNanos;
        }

        synchronized long stalls() {
            return stalls;
        }
    }

    // ------------------------------------------------------------------ mailbox

    static final class Mailbox {
        private final ArrayDeque<Message> messages = new ArrayDeque<>();
        private final int capacity;
        private boolean closed;
        private int maxDepth;
        private long fullWaits;

        Mailbox(int capacity) {
            this.capacity = capacity;
        }

        synchronized void put(Message m) throws InterruptedException {
            if (messages.size() >= capacity) fullWaits++;
            while (messages.size() >= capacity) wait();
            if (closed) throw new IllegalStateException("mailbox is closed");
            messages.addLast(m);
            maxDepth = Math.max(maxDepth, messages.size());
            notifyAll();
        }

        /** Moves up to max messages to the list; false when closed and empty. */
        synchronized boolean drain(List<Message> into, int max) throws InterruptedException {
            while (messages.isEmpty() && !closed) wait();
            if (messages.isEmpty()) return false;
            while (into.size() < max && !messages.isEmpty()) into.add(messages.pollFirst());
            notifyAll();
            return true;
        }

        synchronized void close() {
            closed = true;
            notifyAll();
        }

        synchronized int maxDepth() {
            return maxDepth;
        }

        synchronized long fullWaits() {
            return fullWaits;
        }
    }

    // ------------------------------------------------------------------ topics

    static final class Topic {
        final String name;
        private final List<Subscriber> subscribers = new ArrayList<>();
        private final int syncEvery;
        private final int syncMillis;
        private final byte[] segment = new byte[1 << 16];
        private int position;
        private int sinceSync;
        private long appended;
        private long syncs;
        private long journalDigest;

        Topic(String name, int syncEvery, int syncMillis) {
            this.name = name;
            this.syncEvery = syncEvery;
            this.syncMillis = syncMillis;
        }

        void publish(Message m) throws InterruptedException {
            append(m);
            for (Subscriber s : subscribers) s.mailbox.put(m);
        }

        /** Appends under the lock of the topic; whoever completes a group syncs it, and the others wait. */
        private synchronized void append(Message m) throws InterruptedException {
            int offset = 0;
            while (offset < m.payload.length) {
                int n = Math.min(segment.length - position, m.payload.length - offset);
                System.arraycopy(m.payload, offset, segment, position, n);
                position = (position + n) % segment.length;
                offset += n;
            }
            Adler32 sum = new Adler32();
            sum.update(m.payload);
            journalDigest += mix(sum.getValue() + m.id);
            appended++;
            if (syncEvery > 0 && ++sinceSync >= syncEvery) {
                sinceSync = 0;
                syncs++;
                if (syncMillis > 0) Thread.sleep(syncMillis);
            }
        }

        synchronized long digest() {
            return journalDigest;
        }

        synchronized String describe() {
            return name + " appended=" + appended + " syncs=" + syncs;
        }
    }

    // ------------------------------------------------------------------ subscribers

    static final class Subscriber implements Runnable {
        final String name;
        final Mailbox mailbox;
        private final int batch;
        private final int work;
        private final int[] histogram = new int[256];
        long received;
        long batches;
        long digest;
        volatile Throwable failure;

        Subscriber(String name, int capacity, int batch, int work) {
            this.name = name;
            this.mailbox = new Mailbox(capacity);
            this.batch = batch;
            this.work = work;
        }

        @Override
        public void run() {
            List<Message> taken = new ArrayList<>(batch);
            try {
                while (mailbox.drain(taken, batch)) {
                    batches++;
                    for (Message m : taken) {
                        try {
                            digest += process(m);
                            received++;
                        } catch (RuntimeException e) {
                            failure = e;
                        } finally {
                            m.acknowledge();
                        }
                    }
                    taken.clear();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failure = e;
            }
        }

        /** A small analysis of the payload: the frequencies of the bytes and a rolling hash. */
        private long process(Message m) {
            long h = m.id;
            int rounds = m.id % 8 == 0 ? work * 3 : work;
            for (int r = 0; r < rounds; r++) {
                Arrays.fill(histogram, 0);
                for (byte b : m.payload) histogram[b & 0xff]++;
                int top = 0;
                for (int i = 1; i < 256; i++) if (histogram[i] > histogram[top]) top = i;
                h = mix(h + top * 257L + histogram[top] + r);
            }
            return h;
        }
    }

    // ------------------------------------------------------------------ publishers

    static final class Publisher implements Runnable {
        private final int index;
        private final int publishers;
        private final int messages;
        private final int payloadSize;
        private final int compose;
        private final int receivers;
        private final List<Topic> topics;
        final Window window;
        volatile Throwable failure;

        Publisher(int index, int publishers, List<Topic> topics) {
            this.index = index;
            this.publishers = publishers;
            this.topics = topics;
            this.messages = setting("messages");
            this.payloadSize = setting("payload");
            this.compose = setting("compose");
            this.receivers = setting("subscribers");
            this.window = new Window(setting("window"));
        }

        @Override
        public void run() {
            try {
                for (int id = index; id < messages; id += publishers) {
                    byte[] payload = composePayload(id);
                    window.acquire();
                    Topic topic = topics.get((int) Long.remainderUnsigned(mix(id + 1L), topics.size()));
                    topic.publish(new Message(id, payload, window, receivers));
                }
                window.awaitEmpty();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failure = e;
            }
        }

        private byte[] composePayload(int id) {
            int size = payloadSize / 2 + (int) Long.remainderUnsigned(mix(id * 3L), payloadSize);
            byte[] p = new byte[size];
            long s = mix(id + 1234567L);
            for (int i = 0; i < size; i++) {
                s = s * 6364136223846793005L + 1442695040888963407L;
                p[i] = (byte) (s >>> 57);
            }
            for (int r = 0; r < compose; r++) {
                byte key = (byte) (r * 29 + id);
                for (int i = 1; i < size; i++) p[i] ^= (byte) ((p[i - 1] + key) & 0x3f);
            }
            return p;
        }
    }

    // ------------------------------------------------------------------ main

    public static void main(String[] args) throws Exception {
        try {
            read();
        } catch (IllegalArgumentException e) {
            System.err.println("TopicMesh: " + e.getMessage());
            System.err.println("settings: --" + String.join("=N --", SETTINGS.keySet()) + "=N");
            System.exit(2);
            return;
        }
        long start = System.nanoTime();
        List<Topic> topics = new ArrayList<>();
        List<Subscriber> subscribers = new ArrayList<>();
        List<Thread> subscriberThreads = new ArrayList<>();
        for (int t = 0; t < setting("topics"); t++) {
            Topic topic = new Topic("topic-" + t, setting("sync-every"), setting("sync-ms"));
            for (int s = 0; s < setting("subscribers"); s++) {
                Subscriber sub = new Subscriber("sub-" + t + "-" + s, setting("mailbox"), setting("batch"), setting("work"));
                topic.subscribers.add(sub);
                subscribers.add(sub);
                subscriberThreads.add(new Thread(sub, sub.name));
            }
            topics.add(topic);
        }
        subscriberThreads.forEach(Thread::start);

        List<Publisher> publishers = new ArrayList<>();
        List<Thread> publisherThreads = new ArrayList<>();
        for (int p = 0; p < setting("publishers"); p++) {
            Publisher publisher = new Publisher(p, setting("publishers"), topics);
            publishers.add(publisher);
            Thread thread = new Thread(publisher, "pub-" + p);
            publisherThreads.add(thread);
            thread.start();
        }
        for (Thread t : publisherThreads) t.join();
        for (Subscriber s : subscribers) s.mailbox.close();
        for (Thread t : subscriberThreads) t.join();
        double elapsed = (System.nanoTime() - start) / 1e6;

        long completed = 0;
        long latency = 0;
        long stalls = 0;
        for (Publisher p : publishers) {
            if (p.failure != null) throw new IllegalStateException("a publisher failed", p.failure);
            completed += p.window.completed();
            latency += p.window.latencyNanos();
            stalls += p.window.stalls();
        }
        if (completed != setting("messages")) throw new IllegalStateException("acknowledged " + completed + " messages");
        long digest = 0;
        for (Topic t : topics) {
            digest += t.digest();
            System.out.println(t.describe());
        }
        long received = 0;
        long batches = 0;
        long fullWaits = 0;
        int depth = 0;
        for (Subscriber s : subscribers) {
            if (s.failure != null) throw new IllegalStateException(s.name + " failed", s.failure);
            digest += s.digest;
            received += s.received;
            batches += s.batches;
            fullWaits += s.mailbox.fullWaits();
            depth = Math.max(depth, s.mailbox.maxDepth());
        }
        System.out.printf(Locale.ROOT, "received=%d batches=%d (%.1f each) max depth=%d full waits=%d window stalls=%d%n", received,
            batches, received / (double) Math.max(1, batches), depth, fullWaits, stalls);
        System.out.printf(Locale.ROOT, "mean time to acknowledgement %.2f ms%n", latency / 1e6 / Math.max(1, completed));
        System.out.printf(Locale.ROOT, "checksum %016x%n", digest);
        System.out.printf(Locale.ROOT, "elapsed %.1f ms%n", elapsed);
    }
}
