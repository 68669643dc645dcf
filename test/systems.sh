#!/bin/sh
# Runs Gaucho for another system in an emulator:
#
#	test/systems.sh windows   in wine
#	test/systems.sh arm64     Linux on arm64, in QEMU
#
# The loader's tests look at the program's tables, try executable pages and run six of their programs; a session runs a notebook, which must
# print what it prints here. With LONG=1 the native engine's own test is made too. The first time it packs the system's kit, which takes
# minutes. make wine and make arm64 install what it needs.
set -eu
dir=$PWD/dist/$1 go=${GO:-go}
mkdir -p "$dir"
case $1 in
windows)
	os=windows arch=amd64 program=$dir/gaucho.exe emulator=/usr/lib/wine/wine64
	export WINEPREFIX="$dir/wine" WINEARCH=win64 WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' DISPLAY=
	run() { "$emulator" "$@"; }
	# What wine leaves running would hold a pipe, so it writes into files.
	if [ ! -f "$WINEPREFIX/ready" ]; then
		"$emulator" wineboot -i </dev/null >"$dir/wine.log" 2>&1
		# Go's programs take random numbers from a library that Debian's wine lacks.
		cat >"$dir/prng.c" <<-'C'
			#include <windows.h>
			BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
			__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE p, SIZE_T n) {
				for (; n > 0; p++, n--) if (!SystemFunction036(p, 1)) return FALSE;
				return TRUE;
			}
		C
		x86_64-w64-mingw32-gcc -O -shared -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" "$dir/prng.c" -ladvapi32
		touch "$WINEPREFIX/ready"
	fi
	/usr/lib/wine/wineserver64 -p </dev/null >/dev/null 2>&1 # or each program starts all of wine
	trap '/usr/lib/wine/wineserver64 -k || true' EXIT
	;;
arm64)
	os=linux arch=arm64 program=$dir/gaucho
	emulator=$(command -v qemu-aarch64-static || command -v qemu-aarch64)
	# A namespace in which the kernel starts programs for arm64 in QEMU, also those that they start themselves.
	export EMULATOR="$emulator"
	run() {
		unshare -U -r -m sh -c 'mount -t binfmt_misc none /proc/sys/fs/binfmt_misc &&
			printf %s ":arm64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:$EMULATOR:F" \
				>/proc/sys/fs/binfmt_misc/register && exec "$@"' sh "$@"
	}
	;;
*) echo "unknown system $1"; exit 2 ;;
esac

LOADER_TEST_GOOS=$os LOADER_TEST_GOARCH=$arch LOADER_TEST_EMULATOR=$emulator \
	$go test -vet=off -count=1 -run '^(TestProbe|TestPrograms)$/^(panics|stacks|closures|generics|methods|concurrency)$' ./interp/loader

kit=$dir/kit.tar.zst sources=$(git ls-files go.mod internal interp/rt interp/wire interp/symbols interp/kit plotting render stdlib | grep -v -e '_test\.go$' -e /testdata/)
if [ ! -f "$kit" ] || [ -n "$(find $sources -newer "$kit" -print -quit)" ]; then
	echo "packing the kit for $1"
	$go run ./interp/kit/pack -os $os -arch $arch -o "dist/$1/kit.tar.zst"
fi
GOOS=$os GOARCH=$arch $go build -overlay "dist/$1/overlay.json" -tags kit -ldflags=-w -o "$program" .

# A directory with a blank and an umlaut.
work="$dir/Jörg Müller"
mkdir -p "$work"
$go run ./test/systems >"$work/stress.ipynb"
export LOCALAPPDATA="$work" XDG_CACHE_HOME="$work" TEMP="$work" TMP="$work"
./gaucho run --engine native --allow-errors "$work/stress.ipynb" -o "$dir/here.ipynb" >/dev/null 2>&1
rm -f "$work/there.ipynb"
# Its status says nothing: wine 8 does not know how Go removes files, which is what the program does last.
run "$program" run --engine native --allow-errors "$work/stress.ipynb" -o "$work/there.ipynb" </dev/null >"$dir/run.log" 2>&1 || true
[ -f "$work/there.ipynb" ] || { tail -5 "$dir/run.log"; exit 1; }
cmp "$dir/here.ipynb" "$work/there.ipynb"
grep -q 'still 4900' "$work/there.ipynb"
echo "the notebook prints the same"
[ -z "${LONG-}" ] || { run "$program" doctor --test-native </dev/null >"$dir/doctor.log" 2>&1 || status=$?; cat "$dir/doctor.log"; [ -z "${status-}" ]; }
