package main

import (
	"context"
	"os"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"
)

// image is the one file of the file system.
type image struct {
	fs.Inode
	file *os.File
	size int64
	disk *disk
}

var (
	_ fs.NodeReader    = (*image)(nil)
	_ fs.NodeWriter    = (*image)(nil)
	_ fs.NodeOpener    = (*image)(nil)
	_ fs.NodeGetattrer = (*image)(nil)
	_ fs.NodeSetattrer = (*image)(nil)
	_ fs.NodeFsyncer   = (*image)(nil)
)

// Open lets the kernel neither cache nor put requests in a row.
func (i *image) Open(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) {
	return nil, fuse.FOPEN_DIRECT_IO | fuse.FOPEN_PARALLEL_DIRECT_WRITES, 0
}

func (i *image) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	out.Mode, out.Size, out.Nlink = 0o600, uint64(i.size), 1
	return 0
}

func (i *image) Setattr(_ context.Context, _ fs.FileHandle, _ *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	out.Mode, out.Size, out.Nlink = 0o600, uint64(i.size), 1
	return 0
}

func (i *image) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno { return 0 }

func (i *image) Read(_ context.Context, _ fs.FileHandle, buffer []byte, offset int64) (fuse.ReadResult, syscall.Errno) {
	n, err := unix.Pread(int(i.file.Fd()), buffer, offset)
	if err != nil {
		return nil, fs.ToErrno(err)
	}
	i.disk.submit(offset, n, false)
	return fuse.ReadResultData(buffer[:n]), 0
}

func (i *image) Write(_ context.Context, _ fs.FileHandle, data []byte, offset int64) (uint32, syscall.Errno) {
	n, err := unix.Pwrite(int(i.file.Fd()), data, offset)
	if err != nil {
		return 0, fs.ToErrno(err)
	}
	i.disk.submit(offset, n, true)
	return uint32(n), 0
}

// folder is the root of the file system.
type folder struct {
	fs.Inode
	image *image
}

// OnAdd puts the file in.
func (f *folder) OnAdd(ctx context.Context) {
	f.AddChild("disk.img", f.NewPersistentInode(ctx, f.image, fs.StableAttr{Mode: syscall.S_IFREG}), true)
}
