package tierscope;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The places where locks and queues are made. The first objects of a place are written to the log with all calls that
 * led there, which costs 50 µs; a server that makes a lock for every request says of the later ones only where. A
 * place is the innermost calls.
 */
final class Places {
  private static final int DEEP = 12;
  private static final int IN_FULL = 50;
  private static final int MOST = 1 << 16;

  private static final StackWalker WALKER = StackWalker.getInstance(Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE), DEEP);

  private static final Function<Stream<StackWalker.StackFrame>, Long> HASH =
      new Function<Stream<StackWalker.StackFrame>, Long>() { // not a lambda expression, which the JVM would make a class for
        @Override
        public Long apply(Stream<StackWalker.StackFrame> frames) {
          long hash = 0;
          var i = frames.iterator();
          for (int n = 0; n < DEEP && i.hasNext(); n++) {
            StackWalker.StackFrame f = i.next();
            hash = 31 * (31 * hash + System.identityHashCode(f.getDeclaringClass())) + f.getByteCodeIndex();
          }
          return hash;
        }
      };

  private static final Map<Long, Place> PLACES = new HashMap<>();

  private Places() {}

  private static final class Place {
    final int number;
    int objects;

    Place(int number) {
      this.number = number;
    }
  }

  /** The number of the place where an object was made now; -1: the log has all about the object. */
  static int of(long time, Objects.Made m) {
    Long hash = WALKER.walk(HASH);
    Place p;
    synchronized (PLACES) {
      p = PLACES.get(hash);
      if (p == null) {
        p = new Place(PLACES.size() < MOST ? PLACES.size() : MOST);
        if (p.number < MOST) {
          PLACES.put(hash, p);
        }
      }
      if (++p.objects > IN_FULL) {
        return p.number;
      }
    }
    Log.line(
        "made", time, m.identity, m.kind, m.capacity, m.part, m.other, m.type, Log.stack(), p.number, Thread.currentThread().getId());
    return -1;
  }
}
