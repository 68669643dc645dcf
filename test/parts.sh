#!/bin/sh
# Makes targets one after another and prints how long each took beside what it may take on two quiet cores:
#
#	test/parts.sh SECONDS target:seconds ...
#
# SECONDS is the limit of all together. Every part runs, and one that fails makes the whole fail. A limit that is
# exceeded is printed and fails nothing: a busy machine takes longer.
limit=$1; shift
began=$(date +%s) table= failed=
for part; do
	target=${part%:*} from=$(date +%s) status=
	${MAKE:-make} --no-print-directory "$target" || { status=' FAILED'; failed="$failed $target"; }
	took=$(($(date +%s) - from))
	[ $took -gt "${part#*:}" ] && status="$status over its limit"
	row=$(printf '%-16s %5d s of %4d%s' "$target" $took "${part#*:}" "$status")
	printf '== %s\n' "$row"
	table="$table$row
"
done
printf '\n%s%-16s %5d s of %4d\n' "$table" together $(($(date +%s) - began)) "$limit"
[ -z "$failed" ] || { echo "FAILED:$failed"; exit 1; }
