package tierscope;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.zip.CRC32;

/**
 * The agent: it runs inside the program under study, before its main method. Its argument is a file of properties:
 *
 * <pre>
 * log         text file: what happens seldom (threads, locks, what went wrong)
 * classes     write the classes that the program loads to this file
 * samples     write stack samples to this file, every interval_ms
 * substitutes use the classes in this file in place of those that the program loads
 * loops       write how often loops iterate to this file, when the program ends
 * threads     write variables and what threads did to this file; count: loops and calls, no clocks
 * modules     measure and delay methods, as this file says
 * record      write probe hits to this file, bytes at most, hits of one probe at most (0: all)
 * retransform classes of the JDK, separated by spaces, that are loaded before the agent
 * </pre>
 *
 * Whatever goes wrong here is written to the log; nothing is thrown into the program.
 */
public final class Agent implements ClassFileTransformer {
  private final Map<String, byte[]> substitutes = new HashMap<>(); // by name and sum
  private final Map<String, byte[]> boot = new HashMap<>(); // by name, for classes of the JVM: loaded before the agent, they are other bytes
  private final ClassLog classes;

  private Agent(ClassLog classes) {
    this.classes = classes;
  }

  public static void premain(String argument, Instrumentation instrumentation) {
    try {
      Properties options = new Properties();
      try (FileInputStream in = new FileInputStream(argument)) {
        options.load(in);
      }
      Log.open(options.getProperty("log"));
      start(options, instrumentation);
      Watch.start();
      Log.line("ready", System.nanoTime(), Runtime.version().feature(), Runtime.getRuntime().availableProcessors(),
          System.getProperty("java.vm.name"), Probe.startupCpu(), Thread.currentThread().getId());
    } catch (Throwable t) {
      Log.trouble("the agent did not start", t);
    }
  }

  private static void start(Properties options, Instrumentation instrumentation) throws Exception {
    String dump = options.getProperty("classes");
    Agent agent = new Agent(dump == null ? null : new ClassLog(dump));
    if (options.getProperty("substitutes") != null) {
      agent.readSubstitutes(options.getProperty("substitutes"));
    }
    if (options.getProperty("record") != null) {
      Probe.open(options.getProperty("record"), Long.parseLong(options.getProperty("bytes")),
          Integer.parseInt(options.getProperty("hits", "0")));
    }
    if (options.getProperty("loops") != null) {
      Loops.open(options.getProperty("loops"));
    }
    if (options.getProperty("threads") != null) {
      Threads.open(options.getProperty("threads"), options.getProperty("count") != null);
    }
    if (options.getProperty("modules") != null) {
      Modules.open(options.getProperty("modules"));
    }
    instrumentation.addTransformer(agent, true);
    agent.retransform(instrumentation, options.getProperty("retransform", "").trim().split(" "));
    if (options.getProperty("samples") != null) {
      Sampler.start(options.getProperty("samples"), Long.parseLong(options.getProperty("interval_ms")));
    }
  }

  /** Sends classes that are loaded already through the transformer, one by one: one that fails harms no other. */
  private void retransform(Instrumentation instrumentation, String[] wanted) {
    List<Class<?>> found = new ArrayList<>();
    Set<String> names = new HashSet<>(Arrays.asList(wanted));
    for (Class<?> c : instrumentation.getAllLoadedClasses()) {
      if (names.contains(c.getName().replace('.', '/')) && instrumentation.isModifiableClass(c)) {
        found.add(c);
      }
    }
    for (Class<?> c : found) {
      try {
        instrumentation.retransformClasses(c);
      } catch (Throwable t) {
        Log.trouble("class " + c.getName() + " keeps its form", t);
      }
    }
  }

  private void readSubstitutes(String file) throws Exception {
    try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(file)))) {
      for (int n = in.readInt(); n > 0; n--) {
        String name = in.readUTF();
        long sum = in.readInt() & 0xffffffffL;
        byte[] b = new byte[in.readInt()];
        in.readFully(b);
        substitutes.put(name + " " + sum, b);
        boot.put(name, b);
      }
    }
  }

  @Override
  public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] b) {
    try {
      if (name == null || name.startsWith("tierscope/")) {
        return null;
      }
      if (classes != null) {
        classes.write(name, b);
      }
      if (substitutes.isEmpty()) {
        return null;
      }
      CRC32 sum = new CRC32();
      sum.update(b);
      byte[] own = substitutes.get(name + " " + sum.getValue());
      return own == null && loader == null ? boot.get(name) : own;
    } catch (Throwable t) {
      Log.trouble("class " + name, t);
      return null;
    }
  }
}
