module a.tierscope/tempdir

go 1.26.0
