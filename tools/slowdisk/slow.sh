#!/usr/bin/env bash
# Makes the disk of up.sh STATE slow, for it begins fast.
kill -USR2 "$(cat "$1/pid")"
sleep .3
