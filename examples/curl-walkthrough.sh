#!/usr/bin/env bash
# The walk-through of docs/guides/http.md as a script. It starts a daemon of its own on a free port with a temporary data
# directory, and removes both at the end. Needs bash, curl and sed; no agent, no key.
#
#   examples/curl-walkthrough.sh
set -euo pipefail

cd "$(dirname "$0")/.."
WORK=$(mktemp -d)
DATA="$WORK/data"
mkdir "$WORK/project"

heading() { printf '\n== %s\n' "$*"; }

# Tries a command until it succeeds, for a minute at most.
wait_for() {
  for _ in $(seq 600); do
    if "$@"; then return 0; fi
    sleep 0.1
  done
  echo "gave up waiting for: $*" >&2
  exit 1
}

start_daemon() {
  : > "$WORK/link"
  node bin/interlingua.js serve --port 0 --data "$DATA" --root "$WORK/project" > "$WORK/link" 2> "$WORK/log" &
  LAUNCHED=$!
  wait_for grep -q '#token=' "$WORK/link"
  BASE=$(sed 's|/#.*||' "$WORK/link")
}

# The daemon's own process; where an older Node started it, that one is only its parent.
daemon_pid() { sed 's/.*"pid":\([0-9]*\).*/\1/' "$DATA/daemon.json"; }

stop_everything() {
  kill "$(daemon_pid 2> /dev/null)" 2> /dev/null || true
  wait "${LAUNCHED:-}" 2> /dev/null || true
  rm -rf "$WORK"
}
trap stop_everything EXIT

interlingua() { node bin/interlingua.js "$@"; }
api() { curl -sS -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" "$@"; echo; }
session_is() { api "$BASE/v1/sessions/demo" | grep -q "\"status\":\"$1\""; }
head_of_log() { api "$BASE/v1/sessions/demo" | sed -n 's/.*"head":\([0-9]*\).*/\1/p'; }

# Follows the session into a file until the file has the newest event, then breaks the connection.
watch_into() {
  local file=$1 newest
  shift
  curl -sN -H "Authorization: Bearer $TOKEN" "$@" "$BASE/v1/sessions/demo/events/sse" > "$file" &
  local watcher=$!
  newest=$(head_of_log)
  wait_for grep -q "^data: .*\"seq\":$newest," "$file"
  kill "$watcher"
  wait "$watcher" 2> /dev/null || true
}

heading "Start"
start_daemon
TOKEN=$(cat "$DATA/token")
api "$BASE/v1/health"

heading "Create a session and send a prompt"
api "$BASE/v1/sessions" -d '{"id":"demo","agent":"mock"}'
api "$BASE/v1/sessions/demo/messages" -d '{"text":"scenario:approve"}'
wait_for session_is waiting

heading "Watch, and leave"
watch_into "$WORK/seen"
LAST=$(sed -n 's/^id: //p' "$WORK/seen" | tail -n 1)
echo "left after event $LAST"

heading "Answer the permission while nobody watches"
ASK=$(api "$BASE/v1/asks" | sed -n 's/.*"ask":"\([^"]*\)".*/\1/p')
api "$BASE/v1/sessions/demo/asks/$ASK/reply" -d '{"reply":"once"}'
wait_for session_is idle

heading "Come back with Last-Event-ID"
watch_into "$WORK/rest" -H "Last-Event-ID: $LAST"
echo "went on with event $(sed -n 's/^id: //p' "$WORK/rest" | head -n 1)"
echo "missed or repeated: $(($(head_of_log) - $(cat "$WORK/seen" "$WORK/rest" | grep -c '^id: ')))"

heading "Queue, change what waits, interrupt"
api "$BASE/v1/sessions/demo/messages" -d '{"id":"stuck","text":"scenario:hang"}'
api "$BASE/v1/sessions/demo/messages" -d '{"id":"next","text":"scenario:text"}'
api -X PATCH "$BASE/v1/sessions/demo/queue/next" -d '{"text":"scenario:echo I was changed while I waited"}'
api "$BASE/v1/sessions/demo/queue"
api -X POST "$BASE/v1/sessions/demo/interrupt"
wait_for session_is idle

heading "Kill the daemon in the middle of a turn, with a prompt waiting"
api "$BASE/v1/sessions/demo/messages" -d '{"id":"cut-off","text":"scenario:hang"}'
api "$BASE/v1/sessions/demo/messages" -d '{"id":"waiting","text":"scenario:text"}'
kill -9 "$(daemon_pid)"
wait "$LAUNCHED" 2> /dev/null || true
start_daemon
wait_for session_is idle

heading "How the turns ended"
interlingua tail demo --no-follow --data "$DATA" | sed -n 's/.*"turn.ended".*"outcome":"\([a-z]*\)".*/\1/p'

heading "The newest messages"
api "$BASE/v1/sessions/demo/messages?limit=2"

heading "Is what is stored whole?"
interlingua db check --data "$DATA" | sed "s|$DATA|the data directory|"
