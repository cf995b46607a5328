import org.sunflow.SunflowAPI;
import org.sunflow.core.display.FileDisplay;
import org.sunflow.math.Matrix4;
import org.sunflow.math.Point3;
import org.sunflow.math.Vector3;
import org.sunflow.system.UI;
import org.sunflow.system.UI.Module;
import org.sunflow.system.UI.PrintLevel;
import org.sunflow.system.UserInterface;

/**
 * Renders a scene of our own with Sunflow (Debian package libsunflow-java), the ray tracer of Tarvo &amp; Reiss 2014,
 * §5.2: a teapot, a mirror and a glass sphere on a plane, with ambient occlusion. Threads take tiles of the picture
 * from a counter that a monitor guards.
 *
 * <pre>
 * apt install libsunflow-java openjdk-17-jdk-headless
 * javac -cp /usr/share/java/sunflow.jar -d classes testdata/programs/java/sunflow/Render.java
 * java -Dthreads=4 -Djava.awt.headless=true -cp classes:/usr/share/java/sunflow.jar:/usr/share/java/janino.jar Render
 * </pre>
 *
 * <p>WANT: 1 pool of threads threads, renewed in every frame, that takes tiles from 1 queue which the main thread fills.
 */
public final class Render extends SunflowAPI {
  private static final int WIDTH = Integer.getInteger("width", 320);
  private static final int HEIGHT = WIDTH * 3 / 4;
  private static final int TILE = 24;

  public static void main(String[] args) {
    UI.set(new Silent());
    Render scene = new Render();
    scene.build();
    int frames = Integer.getInteger("frames", 6);
    for (int i = 0; i < frames; i++) {
      scene.render(SunflowAPI.DEFAULT_OPTIONS, new FileDisplay(false));
    }
  }

  @Override
  public void build() {
    parameter("threads", Integer.getInteger("threads", 2));
    parameter("threads.lowPriority", false);
    parameter("resolutionX", WIDTH);
    parameter("resolutionY", HEIGHT);
    parameter("aa.min", 0);
    parameter("aa.max", 1);
    parameter("filter", "mitchell");
    parameter("sampler", "bucket");
    parameter("bucket.order", "hilbert");
    parameter("bucket.size", TILE);
    parameter("depths.reflection", 3);
    parameter("depths.refraction", 3);
    parameter("gi.engine", "ambocc");
    parameter("gi.ambocc.bright", null, 1, 1, 1);
    parameter("gi.ambocc.dark", null, 0, 0, 0);
    parameter("gi.ambocc.samples", 24);
    parameter("gi.ambocc.maxdist", 600f);
    options(DEFAULT_OPTIONS);
    parameter("transform", Matrix4.lookAt(new Point3(0, -240, 90), new Point3(0, 0, 40), new Vector3(0, 0, 1)));
    parameter("fov", 50f);
    parameter("aspect", (float) WIDTH / HEIGHT);
    camera("camera", "pinhole");
    parameter("camera", "camera");
    options(DEFAULT_OPTIONS);
    parameter("center", new Point3(80, -160, 200));
    parameter("power", null, 90000, 90000, 90000);
    light("lamp", "point");
    parameter("diffuse", null, 0.7f, 0.7f, 0.6f);
    shader("stone", "diffuse");
    parameter("diffuse", null, 0.8f, 0.2f, 0.2f);
    shader("clay", "diffuse");
    parameter("color", null, 0.8f, 0.8f, 0.8f);
    shader("mirror", "mirror");
    parameter("eta", 1.5f);
    shader("glass", "glass");
    parameter("center", new Point3(0, 0, 0));
    parameter("normal", new Vector3(0, 0, 1));
    place("ground", "plane", "stone");
    sphere("left", "mirror", -60, 20, 35);
    sphere("right", "glass", 60, -20, 30);
    parameter("subdivs", 8);
    geometry("pot", "teapot");
    parameter("transform", Matrix4.translation(0, 30, 0).multiply(Matrix4.scale(0.6f)));
    parameter("shaders", "clay");
    instance("pot instance", "pot");
  }

  private void place(String name, String kind, String shader) {
    geometry(name, kind);
    parameter("shaders", shader);
    instance(name + " instance", name);
  }

  private void sphere(String name, String shader, float x, float y, float radius) {
    geometry(name, "sphere");
    parameter("transform", Matrix4.translation(x, y, radius).multiply(Matrix4.scale(radius)));
    parameter("shaders", shader);
    instance(name + " instance", name);
  }

  /** Prints nothing. */
  private static final class Silent implements UserInterface {
    @Override
    public void print(Module module, PrintLevel level, String text) {}

    @Override
    public void taskStart(String name, int min, int max) {}

    @Override
    public void taskUpdate(int current) {}

    @Override
    public void taskStop() {}
  }
}
