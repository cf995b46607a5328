// Package hotspot knows the JVM that runs Java programs: by what names the
// kernel lists its own threads, what CPU time they use, and when a server on it is
// warm.
//
// A JVM interprets the code of a program first, and compiles what is called
// often, better and better, in threads of its own. Under load a server is compiled
// within 10 to 60 s; until then it needs several times the CPU time per request
// (Georges, Buytaert & Eeckhout 2007). What is recorded or measured earlier is a
// property of the JVM and not of the server's. A batch program is
// another matter: every run of it is the run of a cold JVM, predicted as such.
package hotspot
