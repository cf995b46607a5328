#!/usr/bin/env bash
# usage: headers.sh GO
# Ends with 0 if there is a C compiler, and the headers that the window needs.
set -euo pipefail
headers='#include <GL/gl.h>
#include <X11/Xcursor/Xcursor.h>
#include <X11/extensions/Xrandr.h>
#include <X11/extensions/Xinerama.h>
#include <X11/extensions/XInput2.h>
#include <X11/extensions/xf86vmode.h>'
"$("$1" env CC)" -E - <<<"$headers" >/dev/null 2>&1
