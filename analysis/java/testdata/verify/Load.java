import java.nio.file.Files;
import java.nio.file.Path;

/** Links every class that a file names, one a line, and prints what the verifier says of those that it rejects. */
public final class Load {
  public static void main(String[] args) throws Exception {
    int linked = 0;
    for (String name : Files.readAllLines(Path.of(args[0]))) {
      try {
        Class.forName(name, false, Load.class.getClassLoader()).getDeclaredMethods(); // which links it
        linked++;
      } catch (VerifyError | ClassFormatError e) {
        System.out.println("REJECTED " + name + ": " + e);
      } catch (LinkageError | ClassNotFoundException e) {
        // a library that the class needs is not here
      }
    }
    System.out.println("LINKED " + linked);
  }
}
