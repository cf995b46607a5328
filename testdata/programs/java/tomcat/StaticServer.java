import com.lowagie.text.Document;
import com.lowagie.text.DocumentException;
import com.lowagie.text.FontFactory;
import com.lowagie.text.Paragraph;
import com.lowagie.text.pdf.PdfWriter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.catalina.Context;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.webresources.StandardRoot;
import org.apache.coyote.AbstractProtocol;

/**
 * Tomcat as Debian ships it, embedded, with files of our own and documents that iText makes (Tarvo &amp; Reiss 2014,
 * §5.3): /page/N.html for N in 0 … FILES − 1, and /pdf?verses=60. Resources are not cached, so files are read. With
 * -Droot=FOLDER they are those of the folder.
 *
 * <pre>
 * apt install libtomcat10-embed-java libtomcat10-java libitext-java openjdk-17-jdk-headless
 * J=/usr/share/java; CP=$J/tomcat10-embed-core.jar:$J/tomcat10-annotations-api.jar:$J/itext.jar
 * javac -cp $CP -d classes testdata/programs/java/tomcat/StaticServer.java
 * java -Dthreads=3 -Dport=8080 -Dfiles=2000 -Dbytes=16384 -cp classes:$CP StaticServer
 * </pre>
 */
public final class StaticServer {
  /** Sets verses in a document. */
  private static final class Passage extends HttpServlet {
    private static final String[] WORDS = ("in the beginning was a word and it had light water land seed tree fruit bird sea moon star stone river").split(" ");
    private final String[] verses = new String[20_000];

    Passage() {
      Random random = new Random(7);
      for (int i = 0; i < verses.length; i++) {
        StringBuilder b = new StringBuilder();
        for (int n = 12 + random.nextInt(30); n > 0; n--) {
          b.append(WORDS[random.nextInt(WORDS.length)]).append(' ');
        }
        verses[i] = b.toString();
      }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
      String given = request.getParameter("verses");
      int n = given == null ? 60 : Integer.parseInt(given);
      int start = Math.floorMod(request.getParameter("seed") == null ? 0 : request.getParameter("seed").hashCode() * 31, verses.length - n);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try {
        Document d = new Document();
        PdfWriter.getInstance(d, out);
        d.open();
        d.add(new Paragraph("Passage " + start, FontFactory.getFont(FontFactory.TIMES_BOLD, 16)));
        for (int i = 0; i < n; i++) {
          d.add(new Paragraph(i + 1 + ". " + verses[start + i], FontFactory.getFont(FontFactory.TIMES_ROMAN, 11)));
        }
        d.close();
      } catch (DocumentException e) {
        throw new IOException(e);
      }
      response.setContentType("application/pdf");
      response.setContentLength(out.size());
      out.writeTo(response.getOutputStream());
    }
  }

  private StaticServer() {}

  /** Makes a folder with files to serve. */
  private static Path site() throws IOException {
    Path root = Files.createTempDirectory("tomcat-site-");
    Path folder = Files.createDirectory(root.resolve("page"));
    int bytes = Integer.getInteger("bytes", 16 << 10);
    Random random = new Random(1);
    for (int i = Integer.getInteger("files", 2000) - 1; i >= 0; i--) {
      byte[] page = new byte[bytes / 2 + random.nextInt(bytes)];
      random.nextBytes(page);
      Files.write(folder.resolve(i + ".html"), page);
    }
    return root;
  }

  public static void main(String[] args) throws Exception {
    String given = System.getProperty("root");
    Path root = given == null ? site() : Path.of(given);
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(Files.createTempDirectory("tomcat-base-").toString());
    Connector connector = new Connector("HTTP/1.1");
    connector.setPort(Integer.getInteger("port", 8080));
    connector.setProperty("address", "127.0.0.1");
    AbstractProtocol<?> protocol = (AbstractProtocol<?>) connector.getProtocolHandler();
    int threads = Integer.getInteger("threads", 3);
    protocol.setMaxThreads(threads);
    protocol.setMinSpareThreads(threads);
    protocol.setAcceptCount(2000);
    protocol.setMaxConnections(10_000);
    tomcat.setConnector(connector);
    Context site = tomcat.addContext("", root.toString());
    Tomcat.addServlet(site, "files", new DefaultServlet());
    site.addServletMappingDecoded("/", "files");
    Tomcat.addServlet(site, "passage", new Passage());
    site.addServletMappingDecoded("/pdf", "passage");
    site.addLifecycleListener(
        e -> {
          if (Lifecycle.CONFIGURE_START_EVENT.equals(e.getType())) {
            site.setConfigured(true);
          }
        });
    StandardRoot resources = new StandardRoot(site);
    resources.setCachingAllowed(false);
    site.setResources(resources);
    tomcat.start();
    tomcat.getServer().await();
  }
}
