/**
 * The reaper, in POSIX sh so that it costs 2 MB and not a second Node. It reads `+PGID` and `-PGID` lines; the end
 * of its input means that the daemon is gone, however it died. Then it ends every group it still knows and, where
 * there is /proc, every process whose environment matches its first argument: what has left its group.
 *
 * `~SECONDS` means that the daemon holds its lease for so long. If no other such line comes in time, the daemon is stopped
 * or its database is away: then all of these processes are stopped, until the next such line.
 *
 * A line cut off by the daemon's death is not acted on: `read` fails on it. Only numbers above 1 are taken, since
 * `kill -- -1` would reach every process of the user. Signals are ignored so that only the end of input ends it.
 */
export const REAPER_SCRIPT = `
trap '' HUP INT QUIT TERM USR1 USR2
pattern=$1
groups=' '
timer=
marked() {
  [ -z "$pattern" ] || grep -ls -e "$pattern" /proc/[0-9]*/environ 2>/dev/null
}
signal_all() {
  alive=1
  for group in $groups; do kill -s "$1" -- "-$group" 2>/dev/null && alive=0; done
  for file in $(marked); do
    pid=\${file#/proc/}
    kill -s "$1" -- "\${pid%/environ}" 2>/dev/null && alive=0
  done
  return $alive
}
freeze_in() {
  nap=
  trap 'kill $nap 2>/dev/null; exit 1' TERM
  sleep "$1" &
  nap=$!
  wait $nap
  trap '' TERM
  signal_all STOP
  exit 0
}
renew() {
  if [ -n "$timer" ]; then
    kill "$timer" 2>/dev/null
    wait "$timer" && signal_all CONT
  fi
  trap - TERM
  (freeze_in "$1") &
  timer=$!
  trap '' TERM
}
while read -r line; do
  group=\${line#?}
  case $line in "~"*) case $group in '' | *[!0-9.]*) ;; *) renew "$group" ;; esac; continue ;; esac
  case $group in '' | 0* | 1 | *[!0-9]*) continue ;; esac
  case $line in
    +*) case $groups in *" $group "*) ;; *) groups="$groups$group " ;; esac ;;
    -*) case $groups in *" $group "*) groups="\${groups%%" $group "*} \${groups#*" $group "}" ;; esac ;;
  esac
done
[ -z "$timer" ] || kill "$timer" 2>/dev/null
signal_all TERM || exit 0
for tenth in 1 2 3 4 5; do
  sleep 0.1
  signal_all 0 || exit 0
done
for tenth in 1 2 3 4 5; do
  signal_all KILL || exit 0
  sleep 0.1
done
exit 0
`;
