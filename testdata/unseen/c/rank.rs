// rank: documents are tokenised by workers, counted in a table in shards, and ranked by scoped threads in rounds.
use std::collections::HashMap;
use std::env;
use std::sync::{mpsc, Arc, Mutex, RwLock};
use std::thread;

fn mix(mut x: u64, n: usize) -> u64 {
    for _ in 0..n { x ^= x << 13; x ^= x >> 7; x ^= x << 17; }
    x
}

fn main() {
    let a: Vec<usize> = env::args().skip(1).map(|s| s.parse().expect("a number")).collect();
    let (workers, docs, rounds) = (a[0], a[1], a[2]);
    let shards: Arc<Vec<Mutex<HashMap<u64, u64>>>> = Arc::new((0..16).map(|_| Mutex::new(HashMap::new())).collect());
    let (tx, rx) = mpsc::sync_channel::<u64>(32);
    let rx = Arc::new(Mutex::new(rx));
    let mut hs = Vec::new();
    for _ in 0..workers {
        let (rx, shards) = (rx.clone(), shards.clone());
        hs.push(thread::spawn(move || loop {
            let doc = match rx.lock().unwrap().recv() { Ok(d) => d, Err(_) => return };
            let mut x = doc + 1;
            for _ in 0..20 {
                x = mix(x, 20_000);
                let mut m = shards[(x % 16) as usize].lock().unwrap();
                *m.entry(x % 5000).or_insert(0) += 1;
            }
        }));
    }
    for d in 0..docs { tx.send(d as u64).unwrap(); }
    drop(tx);
    for h in hs { h.join().unwrap(); }
    let scores = RwLock::new(vec![1u64; 256]);
    for r in 0..rounds {
        let next: Vec<u64> = thread::scope(|s| {
            let part = (256 + workers - 1) / workers;
            let hs: Vec<_> = (0..workers).map(|w| {
                let scores = &scores;
                s.spawn(move || {
                    let old = scores.read().unwrap();
                    (w * part..((w + 1) * part).min(256)).map(|i| mix(old[i] + r as u64, 8_000)).collect::<Vec<u64>>()
                })
            }).collect();
            hs.into_iter().flat_map(|h| h.join().unwrap()).collect()
        });
        *scores.write().unwrap() = next;
    }
    println!("{}", scores.read().unwrap().iter().fold(0u64, |a, b| a ^ b));
}
