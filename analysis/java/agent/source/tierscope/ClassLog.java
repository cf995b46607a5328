package tierscope;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;

/** The classes that the program loaded: name, number of bytes, bytes, again and again. */
final class ClassLog {
  private final FileOutputStream out;

  ClassLog(String file) throws IOException {
    out = new FileOutputStream(file);
  }

  /** Writes a class in one go, so that a program that is killed leaves whole entries. */
  synchronized void write(String name, byte[] b) throws IOException {
    ByteArrayOutputStream entry = new ByteArrayOutputStream(b.length + name.length() + 6);
    DataOutputStream data = new DataOutputStream(entry);
    data.writeUTF(name);
    data.writeInt(b.length);
    data.write(b);
    out.write(entry.toByteArray());
  }
}
