#!/bin/sh
# Rebuilds the font files: sh make-fonts.sh NEWSREADER
# NEWSREADER is newsreader-latin-opsz-normal.woff2 of the npm package @fontsource-variable/newsreader 5.3.
# Needs Debian's fonttools and python3-brotli.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
# Symbols that headlines rarely have are in the second file: below 10 kB, the first one arrives a round trip earlier.
basic='U+0020-0029,U+002B-003B,U+003F,U+0041-005A,U+0061-007A,U+00A0,U+00B7,U+2013,U+2014,U+2018,U+2019,U+201C,U+201D,U+2026'
latin='U+002A,U+003C-003E,U+0040,U+005B-0060,U+007B-007E,U+00A1,U+00A3,U+00A7,U+00A9,U+00AB,U+00B0,U+00BB,U+00BF-00FF,U+0152-0153,U+201A,U+201E,U+20AC'

# The display cut for headlines, and the text cut for articles.
for cut in 'newsreader opsz=32 wght=540' 'newsreader-text opsz=16 wght=400'; do
  name=${cut%% *}
  # shellcheck disable=SC2086
  fonttools varLib.instancer -q "$1" ${cut#* } -o "$work/$name.ttf"
  for part in basic latin; do
    eval "range=\$$part"
    pyftsubset "$work/$name.ttf" --unicodes="$range" --layout-features=kern,liga --no-hinting --name-IDs=0,13,14 \
      --flavor=woff2 --output-file="$work/$part.woff2"
    python3 "$here/prune-kerning.py" "$work/$part.woff2" "$here/$name-$part.woff2"
  done
done
