//! linker - the phases of a parallel static linker, on synthetic objects.
//!
//! Objects are parsed in parallel, global symbols are entered in a sharded
//! table, reachable sections are marked (serially), addresses are assigned
//! (serially), sections are copied and relocated in parallel straight into the
//! output image, and the build id is a tree hash of the image.
//!
//! usage: linker [threads [objects [sections per object [seed]]]]

use std::collections::hash_map::DefaultHasher;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use std::thread;

const SHARDS: usize = 32;

/// Applies `f` to `0..n` on `threads` threads that grab chunks of indices, and
/// returns the results in order.
fn par_map<T: Send>(threads: usize, n: usize, chunk: usize, f: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let mut parts: Vec<(usize, Vec<T>)> = thread::scope(|s| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                s.spawn(|| {
                    let mut mine = Vec::new();
                    loop {
                        let at = next.fetch_add(chunk, Ordering::Relaxed);
                        if at >= n {
                            return mine;
                        }
                        mine.push((at, (at..n.min(at + chunk)).map(&f).collect()));
                    }
                })
            })
            .collect();
        workers.into_iter().flat_map(|w| w.join().expect("worker panicked")).collect()
    });
    parts.sort_by_key(|p| p.0);
    parts.into_iter().flat_map(|p| p.1).collect()
}

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
    fn below(&mut self, n: usize) -> usize {
        ((self.next() >> 33) as usize) % n
    }
}

/// The textual "object file" that a compiler would have left on disk.
fn read_object(id: usize, objects: usize, sections: usize, seed: u64) -> String {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (id as u64 + 1) << 20);
    let mut text = String::new();
    for s in 0..sections {
        text += &format!("section .text._ZN3mod{id}4func{s}Ev {}\n", 64 + rng.below(400));
        if rng.below(4) == 0 {
            // An inline function that many objects define.
            text += &format!("weak _ZN6inline4func{}Ev 0\n", rng.below(objects * 2));
        }
        text += &format!("global _ZN3mod{id}4func{s}Ev 0\n");
        for _ in 0..rng.below(4) {
            let (to, off) = (rng.below(objects), 8 * rng.below(7));
            text += &format!("reloc {off} _ZN3mod{to}4func{}Ev\n", rng.below(sections));
        }
        text += "code ";
        for _ in 0..16 + rng.below(24) {
            text += &format!("{:016x}", rng.next());
        }
        text.push('\n');
    }
    text
}

#[derive(Default)]
struct Section {
    size: usize,
    code: Vec<u8>,
    relocs: Vec<(usize, String)>,
}

struct Symbol {
    name: String,
    section: usize,
    weak: bool,
}

struct Object {
    sections: Vec<Section>,
    symbols: Vec<Symbol>,
}

fn parse(text: &str) -> Result<Object, String> {
    let mut o = Object { sections: Vec::new(), symbols: Vec::new() };
    for (n, line) in text.lines().enumerate() {
        let err = |what: &str| format!("line {}: {what}", n + 1);
        let mut words = line.split_ascii_whitespace();
        let kind = words.next().ok_or_else(|| err("empty"))?;
        let arg = words.next().ok_or_else(|| err("operand missing"))?;
        if kind == "section" {
            let size = words.next().and_then(|w| w.parse().ok()).ok_or_else(|| err("bad size"))?;
            o.sections.push(Section { size, ..Default::default() });
            continue;
        }
        let index = o.sections.len().checked_sub(1).ok_or_else(|| err("no section"))?;
        let section = &mut o.sections[index];
        match kind {
            "global" | "weak" => o.symbols.push(Symbol { name: arg.into(), section: index, weak: kind == "weak" }),
            "reloc" => {
                let offset = arg.parse().map_err(|_| err("bad offset"))?;
                section.relocs.push((offset, words.next().ok_or_else(|| err("no target"))?.into()));
            }
            "code" => {
                for pair in arg.as_bytes().chunks_exact(2) {
                    let hex = std::str::from_utf8(pair).map_err(|_| err("not text"))?;
                    section.code.push(u8::from_str_radix(hex, 16).map_err(|_| err("bad hex"))?);
                }
                section.size = section.size.max(section.code.len());
            }
            _ => return Err(err("unknown record")),
        }
    }
    Ok(o)
}

fn hash_of(data: impl Hash) -> u64 {
    let mut h = DefaultHasher::new();
    data.hash(&mut h);
    h.finish()
}

/// The definition of a symbol: strong before weak, then the first object.
type Definition = (bool, usize, usize);

#[derive(Default)]
struct SymbolTable<'a> {
    shards: [Mutex<HashMap<&'a str, Definition>>; SHARDS],
}

impl<'a> SymbolTable<'a> {
    fn define(&self, name: &'a str, def: Definition) {
        let mut shard = self.shards[hash_of(name) as usize % SHARDS].lock().unwrap();
        shard.entry(name).and_modify(|d| *d = (*d).min(def)).or_insert(def);
    }
    fn lookup(&self, name: &str) -> Option<(usize, usize)> {
        let shard = self.shards[hash_of(name) as usize % SHARDS].lock().unwrap();
        shard.get(name).map(|d| (d.1, d.2))
    }
}

fn main() {
    let args: Vec<usize> = std::env::args().skip(1).map(|a| a.parse().expect("a number")).collect();
    let arg = |i: usize, otherwise| args.get(i).copied().unwrap_or(otherwise);
    let (threads, count, sections, seed) = (arg(0, 4), arg(1, 500), arg(2, 200), arg(3, 1) as u64);

    let objects: Vec<Object> = par_map(threads, count, 4, |id| {
        parse(&read_object(id, count, sections, seed)).unwrap_or_else(|e| panic!("object {}: {}", id, e))
    });

    let table = SymbolTable::default();
    par_map(threads, count, 4, |id| {
        for s in &objects[id].symbols {
            table.define(&s.name, (s.weak, id, s.section));
        }
    });

    // Garbage collection of sections, from the functions of object 0.
    let mut live: Vec<Vec<bool>> = objects.iter().map(|o| vec![false; o.sections.len()]).collect();
    let mut work: Vec<(usize, usize)> = (0..sections).map(|s| (0, s)).collect();
    while let Some((o, s)) = work.pop() {
        if !std::mem::replace(&mut live[o][s], true) {
            work.extend(objects[o].sections[s].relocs.iter().filter_map(|r| table.lookup(&r.1)));
        }
    }

    // Layout.
    let mut address: Vec<Vec<usize>> = objects.iter().map(|o| vec![0; o.sections.len()]).collect();
    let mut end = 0;
    for (o, s) in (0..count).flat_map(|o| (0..objects[o].sections.len()).map(move |s| (o, s))) {
        if live[o][s] {
            address[o][s] = end;
            end += objects[o].sections[s].size.next_multiple_of(16);
        }
    }

    // Every object's part of the image is disjoint from the others'.
    let mut image = vec![0u8; end];
    let mut rest = image.as_mut_slice();
    let mut parts = Vec::new();
    let mut at = 0;
    for o in 0..count {
        let size: usize = (0..objects[o].sections.len())
            .filter(|&s| live[o][s])
            .map(|s| objects[o].sections[s].size.next_multiple_of(16))
            .sum();
        let (part, tail) = rest.split_at_mut(size);
        parts.push(Mutex::new((at, part)));
        at += size;
        rest = tail;
    }
    let relocated: usize = par_map(threads, count, 2, |o| {
        let mut part = parts[o].lock().unwrap();
        let (base, out) = &mut *part;
        let mut n = 0;
        for (s, section) in objects[o].sections.iter().enumerate().filter(|(s, _)| live[o][*s]) {
            let from = address[o][s];
            out[from - *base..][..section.code.len()].copy_from_slice(&section.code);
            for (offset, name) in &section.relocs {
                let (to, ts) = table.lookup(name).unwrap_or_else(|| panic!("undefined symbol {}", name));
                let delta = address[to][ts] as i64 - (from + offset) as i64;
                out[from + offset - *base..][..8].copy_from_slice(&delta.to_le_bytes());
                n += 1;
            }
        }
        n
    })
    .into_iter()
    .sum();
    drop(parts);

    let blocks: Vec<&[u8]> = image.chunks(1 << 16).collect();
    let build_id = hash_of(par_map(threads, blocks.len(), 1, |b| hash_of(blocks[b])));
    let kept: usize = live.iter().flatten().filter(|&&l| l).count();
    println!("{kept} sections kept, {relocated} relocations, {} KB, build id {build_id:016x}", image.len() >> 10);
}
