import java.util.concurrent.*;

/** Sorts an array by halves, in a fork-join pool of its own. */
public final class Tree {
    static class Sort extends RecursiveAction {
        private static final long serialVersionUID = 1;

        final int[] a, b;
        final int from, to, leaf;

        Sort(int[] a, int[] b, int from, int to, int leaf) {
            this.a = a;
            this.b = b;
            this.from = from;
            this.to = to;
            this.leaf = leaf;
        }

        @Override
        protected void compute() {
            if (to - from <= leaf) {
                java.util.Arrays.sort(a, from, to);
                return;
            }
            int mid = (from + to) >>> 1;
            invokeAll(new Sort(a, b, from, mid, leaf), new Sort(a, b, mid, to, leaf));
            System.arraycopy(a, from, b, from, to - from);
            for (int i = from, l = from, r = mid; i < to; i++) a[i] = r >= to || l < mid && b[l] <= b[r] ? b[l++] : b[r++];
        }
    }

    public static void main(String[] args) {
        int threads = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        int size = args.length > 1 ? Integer.parseInt(args[1]) : 2_000_000;
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 4;
        ForkJoinPool pool = new ForkJoinPool(threads);
        long check = 0;
        for (int r = 0; r < rounds; r++) {
            int[] a = new java.util.Random(r).ints(size).toArray();
            pool.invoke(new Sort(a, new int[size], 0, size, 20_000));
            check += a[size / 2];
        }
        pool.shutdown();
        System.out.println(check);
    }
}
