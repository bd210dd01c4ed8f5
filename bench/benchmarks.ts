/** All benchmarks, from the smallest part to the whole. */
import { burst } from "./burst.ts";
import { catchUp } from "./catch-up.ts";
import { checkpoints } from "./checkpoints.ts";
import { cluster } from "./cluster.ts";
import { durability } from "./durability.ts";
import { engine } from "./engine.ts";
import { eventLoop } from "./event-loop.ts";
import { fanOut } from "./fan-out.ts";
import type { Benchmark } from "./harness/benchmark.ts";
import { history } from "./history.ts";
import { machine } from "./machine.ts";
import { nodes } from "./nodes.ts";
import { page } from "./page.ts";
import { peerBurst } from "./peers/peer-burst.ts";
import { peerEveryday } from "./peers/peer-everyday.ts";
import { peerFanOut } from "./peers/peer-fan-out.ts";
import { peerLatency } from "./peers/peer-latency.ts";
import { peerMillion } from "./peers/peer-million.ts";
import { peerPaced } from "./peers/peer-paced.ts";
import { peerRecovery } from "./peers/peer-recovery.ts";
import { peerStart } from "./peers/peer-start.ts";
import { postgres } from "./postgres.ts";
import { recordings } from "./recordings.ts";
import { restart } from "./restart.ts";
import { search } from "./search.ts";
import { sessions } from "./sessions.ts";
import { start } from "./start.ts";
import { store } from "./store.ts";
import { workspace } from "./workspace.ts";

export const BENCHMARKS: readonly Benchmark[] = [
  machine,
  store,
  postgres,
  cluster,
  nodes,
  search,
  engine,
  burst,
  fanOut,
  catchUp,
  durability,
  recordings,
  start,
  restart,
  history,
  sessions,
  eventLoop,
  workspace,
  checkpoints,
  page,
  peerStart,
  peerLatency,
  peerBurst,
  peerPaced,
  peerFanOut,
  peerEveryday,
  peerRecovery,
  peerMillion,
];
