package classfile_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"tierscope/analysis/java/classfile"
)

// strings of the constant pool of the class that build makes, from 1 on.
var constants = []string{"Code", "StackMapTable", "LineNumberTable", "m", "()V", "T", "java/lang/Object"}

// The numbers of the classes T and Object behind the strings.
const (
	classT      = 8
	classObject = 9
)

func two(vs ...int) []byte {
	var b []byte
	for _, v := range vs {
		b = binary.BigEndian.AppendUint16(b, uint16(v))
	}
	return b
}

func four(v int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(int32(v))) }

func attribute(name int, data []byte) []byte {
	return slices.Concat(two(name), four(len(data)), data)
}

// build makes a class T with a method m of the given body, by the table of
// JVMS §4.1.
func build(code, handlers, attributes []byte, handlerCount, attributeCount int) []byte {
	body := slices.Concat(two(2, 1), four(len(code)), code, two(handlerCount), handlers, two(attributeCount), attributes)
	b := slices.Concat(four(-0x35014542), two(0, 55), two(len(constants)+3))
	for _, s := range constants {
		b = slices.Concat(b, []byte{1}, two(len(s)), []byte(s))
	}
	b = slices.Concat(b, []byte{7}, two(6), []byte{7}, two(7)) // classes T and Object
	b = slices.Concat(b, two(0, classT, classObject, 0, 0))
	return slices.Concat(b, two(1, 0x0008, 4, 5, 1), attribute(1, body), two(0))
}

// sample is a method with everything that has addresses:
//
//	 0 iconst_0
//	 1 tableswitch 0…1: 24, 28, default 28
//	24 iconst_0
//	25 ifeq 24
//	28 nop
//	29 return
func sample() []byte {
	code := slices.Concat([]byte{3, 170, 0, 0}, four(27), four(0), four(1), four(23), four(27), []byte{3, 153}, two(-1), []byte{0, 177})
	handlers := two(24, 28, 28, 0)
	frames := slices.Concat(two(2), []byte{24}, []byte{3}) // same_frame at 24 and, 3 + 1 further, at 28
	lines := two(2, 0, 10, 24, 11)
	return build(code, handlers, slices.Concat(attribute(2, frames), attribute(3, lines)), 1, 2)
}

func parse(t *testing.T, b []byte) (*classfile.File, *classfile.Code) {
	t.Helper()
	f, err := classfile.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	c, err := f.Code(&f.Methods[0])
	if err != nil {
		t.Fatal(err)
	}
	return f, c
}

// Two nops before the instruction at 24 and one after that at 25 move what
// comes later, and everything that names an address; what comes after the last
// instruction that a handler covers is not covered: by hand,
//
//	0 iconst_0, 1 tableswitch, 24 nop nop, 26 iconst_0, 27 ifeq 24, 30 nop, 31 nop, 32 return
func TestInsertedCodeMovesEverythingThatNamesAnAddress(t *testing.T) {
	t.Parallel()
	f, c := parse(t, sample())
	c.Before(24, []byte{0, 0})
	c.After(25, []byte{0})
	body, err := c.Relocate()
	if err != nil {
		t.Fatal(err)
	}
	f.SetCode(&f.Methods[0], body)
	code := slices.Concat([]byte{3, 170, 0, 0}, four(30), four(0), four(1), four(23), four(30), []byte{0, 0, 3, 153}, two(-3), []byte{0, 0, 177})
	frames := slices.Concat(two(2), []byte{24}, []byte{6})
	want := build(code, two(24, 30, 31, 0), slices.Concat(attribute(2, frames), attribute(3, two(2, 0, 10, 24, 11))), 1, 2)
	if got := f.Bytes(); !bytes.Equal(got, want) {
		t.Errorf("relocated class:\n%x\nwant\n%x", got, want)
	}
}

// Who jumps to the first instruction does not enter the method again.
func TestAPrologueRunsOnce(t *testing.T) {
	t.Parallel()
	// 0 iconst_0, 1 ifeq 0, 4 return
	f, c := parse(t, build([]byte{3, 153, 0xff, 0xff, 177}, nil, attribute(2, slices.Concat(two(1), []byte{0})), 0, 1))
	c.Prologue([]byte{0, 0})
	body, err := c.Relocate()
	if err != nil {
		t.Fatal(err)
	}
	f.SetCode(&f.Methods[0], body)
	want := build([]byte{0, 0, 3, 153, 0xff, 0xff, 177}, nil, attribute(2, slices.Concat(two(1), []byte{2})), 0, 1)
	if got := f.Bytes(); !bytes.Equal(got, want) {
		t.Errorf("with prologue:\n%x\nwant\n%x", got, want)
	}
}

// A branch reaches 32,767 bytes (JVMS §6.5, if<cond>): what would need more is
// refused and the class stays as it was.
func TestABranchThatBecomesTooLongIsRefused(t *testing.T) {
	t.Parallel()
	code := slices.Concat([]byte{3, 153}, two(32_000), make([]byte, 31_997), []byte{177}) // ifeq at 1 to 32,001
	before := build(code, nil, nil, 0, 0)
	f, c := parse(t, before)
	c.Before(100, make([]byte, 1_000))
	if _, err := c.Relocate(); !errors.Is(err, classfile.ErrTooLarge) {
		t.Errorf("a branch over 33,000 bytes: error %v, want ErrTooLarge", err)
	}
	if !bytes.Equal(f.Bytes(), before) {
		t.Error("the refused method was changed")
	}
}

// A class file that is cut off anywhere is an error, not a panic.
func TestACutOffClassFileIsAnError(t *testing.T) {
	t.Parallel()
	b := sample()
	for n := range b {
		if _, err := classfile.Parse(b[:n]); !errors.Is(err, classfile.ErrFormat) {
			t.Fatalf("the first %d of %d bytes: error %v, want ErrFormat", n, len(b), err)
		}
	}
}

func TestSignatureSplitsADescriptor(t *testing.T) {
	t.Parallel()
	ps, result, err := classfile.Signature("(IJ[[DLjava/lang/String;Z)[I")
	want := []classfile.Type{classfile.Int, classfile.Long, classfile.Reference, classfile.Reference, classfile.Boolean}
	if err != nil || !slices.Equal(ps, want) || result != classfile.Reference {
		t.Errorf("(IJ[[DLjava/lang/String;Z)[I: %c → %c, %v; want %c → L", ps, result, err, want)
	}
	for _, bad := range []string{"", "()", "(V)V", "(I", "I", "(Lx)V", "()VV"} {
		if _, _, err := classfile.Signature(bad); err == nil {
			t.Errorf("descriptor %q was taken", bad)
		}
	}
}

// Whatever bytes come, reading ends with an error or with a file that is
// written as it was read; bodies are taken apart and relocated without a panic.
func FuzzParse(f *testing.F) {
	f.Add(sample())
	f.Add(build([]byte{3, 153, 0xff, 0xff, 177}, nil, attribute(2, slices.Concat(two(1), []byte{0})), 0, 1))
	f.Add(build([]byte{177}, nil, attribute(2, slices.Concat(two(1), []byte{255}, two(0, 1), []byte{8}, two(0, 1), []byte{7}, two(8))), 0, 1))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := classfile.Parse(b)
		if err != nil {
			return
		}
		if again := c.Bytes(); !bytes.Equal(again, b) {
			t.Fatalf("%x was written as %x", b, again)
		}
		c.Lambdas()
		for i := range c.Methods {
			code, err := c.Code(&c.Methods[i])
			if err != nil || code == nil {
				continue
			}
			for _, in := range code.Instructions() {
				code.Before(in.PC, []byte{0})
				code.After(in.PC, []byte{0, 0})
			}
			if _, err := code.Reserve(3, 4); err != nil {
				continue
			}
			_, _ = code.Relocate() // an error is an answer
		}
	})
}
