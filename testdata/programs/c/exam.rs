// The exam of the front ends (exam.c) in Rust. Its standard library's locks ask no kernel unless somebody waits,
// so that nothing stands between the program and them: this one uses those of the C library.
//   rustc -O exam.rs
use std::cell::UnsafeCell;
use std::collections::VecDeque;
use std::os::raw::{c_int, c_void};
use std::sync::Arc;

extern "C" {
    fn pthread_mutex_lock(m: *mut c_void) -> c_int;
    fn pthread_mutex_unlock(m: *mut c_void) -> c_int;
    fn pthread_cond_wait(c: *mut c_void, m: *mut c_void) -> c_int;
    fn pthread_cond_signal(c: *mut c_void) -> c_int;
    fn pthread_cond_broadcast(c: *mut c_void) -> c_int;
}

// As large as a mutex or a condition of the C library; zeros initialise both.
#[repr(align(16))]
struct Primitive(UnsafeCell<[u8; 64]>);
unsafe impl Sync for Primitive {}
unsafe impl Send for Primitive {}
impl Primitive {
    fn new() -> Self {
        Primitive(UnsafeCell::new([0; 64]))
    }
    fn at(&self) -> *mut c_void {
        self.0.get() as *mut c_void
    }
}

struct Shared<T>(UnsafeCell<T>);
unsafe impl<T> Sync for Shared<T> {}
unsafe impl<T> Send for Shared<T> {}

struct Queue {
    lock: Primitive,
    filled: Primitive,
    room: Primitive,
    items: Shared<(VecDeque<i32>, bool)>,
}

const CAPACITY: usize = 4;

impl Queue {
    fn send(&self, x: i32) {
        unsafe {
            pthread_mutex_lock(self.lock.at());
            let items = &mut *self.items.0.get();
            while items.0.len() == CAPACITY {
                pthread_cond_wait(self.room.at(), self.lock.at());
            }
            items.0.push_back(x);
            pthread_cond_signal(self.filled.at());
            pthread_mutex_unlock(self.lock.at());
        }
    }
    fn receive(&self) -> Option<i32> {
        unsafe {
            pthread_mutex_lock(self.lock.at());
            let items = &mut *self.items.0.get();
            while items.0.is_empty() && !items.1 {
                pthread_cond_wait(self.filled.at(), self.lock.at());
            }
            let x = items.0.pop_front();
            if x.is_some() {
                pthread_cond_signal(self.room.at());
            }
            pthread_mutex_unlock(self.lock.at());
            x
        }
    }
    fn close(&self) {
        unsafe {
            pthread_mutex_lock(self.lock.at());
            (*self.items.0.get()).1 = true;
            pthread_cond_broadcast(self.filled.at());
            pthread_mutex_unlock(self.lock.at());
        }
    }
}

fn compute(x: i32) -> f64 {
    let mut y = x as f64;
    for i in 0..100000 {
        y = (y * y + (i % 7) as f64).sqrt() * 0.999 + 0.1;
    }
    y
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args.len() != 3 {
        eprintln!("usage: exam TASKS WORKERS");
        std::process::exit(3);
    }
    let (tasks, workers): (i32, i32) = (args[1].parse().unwrap(), args[2].parse().unwrap());
    let queue = Arc::new(Queue { lock: Primitive::new(), filled: Primitive::new(), room: Primitive::new(), items: Shared(UnsafeCell::new((VecDeque::new(), false))) });
    let sum = Arc::new((Primitive::new(), Shared(UnsafeCell::new(0f64))));
    let threads: Vec<_> = (0..workers)
        .map(|_| {
            let (queue, sum) = (queue.clone(), sum.clone());
            std::thread::spawn(move || {
                while let Some(x) = queue.receive() {
                    let y = compute(x);
                    unsafe {
                        pthread_mutex_lock(sum.0.at());
                        *sum.1 .0.get() += y;
                        pthread_mutex_unlock(sum.0.at());
                    }
                }
            })
        })
        .collect();
    for i in 0..tasks {
        queue.send(i);
    }
    std::thread::sleep(std::time::Duration::from_millis(100)); // nothing comes for a while, so that workers wait
    queue.close();
    for t in threads {
        t.join().unwrap();
    }
    println!("{}", unsafe { *sum.1 .0.get() });
}
