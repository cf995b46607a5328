package tierscope;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts what happens in loops, separately for each chain of call sites that leads to them. Rewritten methods call
 * {@link #enter} first, {@link #leave} before they return, {@link #site} before they call another method, and {@link
 * #more} and {@link #less} where control goes into a loop or back to its beginning.
 *
 * <p>An exception leaves methods without a word; every call here names its method, by which the chain of the thread is
 * repaired. A recursive call counts in the chain in which the recursion began.
 *
 * <p>When the JVM ends, one line per chain goes to the file: the number of the method, the call sites, innermost first,
 * separated by commas, and the counts.
 */
public final class Loops {
  /** A method in a chain of call sites. */
  private static final class Node {
    final Node parent;
    final int method;
    final int site; // in the parent's method; 0: the thread began here
    final AtomicLongArray counts;
    final Map<Long, Node> children = new HashMap<>();

    Node(Node parent, int method, int site, int counts) {
      this.parent = parent;
      this.method = method;
      this.site = site;
      this.counts = new AtomicLongArray(counts);
    }
  }

  /** The methods that a thread is in. */
  private static final class Stack {
    Node[] nodes = new Node[64];
    int[] sites = new int[64]; // at which each method was called
    int depth;
    int site; // of the call that is being made

    /** Drops the methods above one, which an exception has left. */
    void back(int method) {
      for (int d = depth; d > 0; d--) {
        if (nodes[d - 1].method == method) {
          depth = d;
          return;
        }
      }
    }
  }

  private static final Node root = new Node(null, 0, 0, 0);
  private static final List<Node> all = new ArrayList<>();
  private static final ThreadLocal<Stack> stacks = ThreadLocal.withInitial(Stack::new);

  private Loops() {}

  static void open(String file) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> write(file), "tierscope loops"));
  }

  /** Begins a method that has so many counts. */
  public static void enter(int method, int counts) {
    Stack s = stacks.get();
    Node at = s.depth == 0 ? root : s.nodes[s.depth - 1];
    Node node = at;
    while (node != null && node.method != method) {
      node = node.parent;
    }
    if (node == null) {
      node = child(at, method, s.site, counts);
    }
    if (s.depth == s.nodes.length) {
      s.nodes = Arrays.copyOf(s.nodes, 2 * s.depth);
      s.sites = Arrays.copyOf(s.sites, 2 * s.depth);
    }
    s.nodes[s.depth] = node;
    s.sites[s.depth++] = s.site;
  }

  private static Node child(Node at, int method, int site, int counts) {
    synchronized (at) {
      Long key = (long) site << 32 | method;
      Node node = at.children.get(key);
      if (node == null) {
        node = new Node(at, method, site, counts);
        at.children.put(key, node);
        synchronized (all) {
          all.add(node);
        }
      }
      return node;
    }
  }

  /** Ends a method. */
  public static void leave(int method) {
    Stack s = stacks.get();
    s.back(method);
    if (s.depth > 0) {
      s.site = s.sites[--s.depth];
    }
  }

  /** Says where the method calls another one. */
  public static void site(int method, int site) {
    Stack s = stacks.get();
    s.back(method);
    s.site = site;
  }

  /** Counts one more. */
  public static void more(int method, int count) {
    add(method, count, 1);
  }

  /** Takes one back: a branch that was counted was not taken. */
  public static void less(int method, int count) {
    add(method, count, -1);
  }

  private static void add(int method, int count, int by) {
    Stack s = stacks.get();
    s.back(method);
    if (s.depth > 0 && count < s.nodes[s.depth - 1].counts.length()) {
      s.nodes[s.depth - 1].counts.addAndGet(count, by);
    }
  }

  private static void write(String file) {
    List<Node> nodes;
    synchronized (all) {
      nodes = new ArrayList<>(all);
    }
    try (PrintWriter out = new PrintWriter(file, "UTF-8")) {
      for (Node n : nodes) {
        StringBuilder line = new StringBuilder().append(n.method).append('\t');
        for (Node p = n; p.site != 0; p = p.parent) {
          line.append(p == n ? "" : ",").append(p.site);
        }
        for (int i = 0; i < n.counts.length(); i++) {
          line.append('\t').append(n.counts.get(i));
        }
        out.println(line);
      }
      out.println("end");
    } catch (Exception e) {
      Log.trouble("the counts of loops were not written", e);
    }
  }
}
