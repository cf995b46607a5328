package main

import "os/exec"

// WANT+ main.main: external external
func execs() { check(exec.Command("true").Run()) }
