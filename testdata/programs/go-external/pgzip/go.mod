module pgzipdriver

go 1.26.0

require github.com/klauspost/pgzip v1.2.6

require github.com/klauspost/compress v1.20.3 // indirect
