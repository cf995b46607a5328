// Package classfile reads, edits and writes Java class files (The Java Virtual
// Machine Specification, Java SE 25, chapter 4; "JVMS"). It understands as much
// of them as inserting probes needs, and carries everything else along as the
// bytes it came in: a class that is not edited is written byte for byte as it
// was read.
//
//	file.go        a class file: constant pool, members, attributes
//	pool.go        the constant pool, and adding to it
//	instruction.go where instructions begin and how long they are
//	code.go        the body of a method
//	relocate.go    a body with code inserted: every address in it moves
//	frames.go      the stack map frames of the verifier move with it
//	assemble.go    the few instructions that a probe is made of
//
// # Why frames need not be computed
//
// Since Java 6 a method tells the verifier the types of its locals and stack
// at every target of a branch. Inserted code has no branches of its own, leaves
// the stack as it found it, and keeps what it must remember in locals above
// those of the method, which no frame mentions. So at every old target the old
// frame is still true; only its address changes. The one new frame is that of
// the handler that leaves a monitor: its locals are those that every
// instruction of the method shares, see Code.Guard.
//
//	0: aload_1                       0: aload_1
//	1: invokevirtual take            1: astore 3; ldc 17; aload 3; invokestatic start; aload 3
//	4: ifnull 0                     12: invokevirtual take
//	                                15: dup; …; invokestatic end
//	                                24: ifnull 0
package classfile
