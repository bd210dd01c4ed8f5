/** What a node of a cluster has counted, as metrics. Without a cluster only whether it is ready. */
import type { Nodes } from "../../core/nodes.ts";
import type { MetricSample, MetricSource } from "./metrics.ts";

export function nodeMetrics(nodes: Nodes): MetricSource {
  return () => [
    gauge(
      "node_ready",
      "1 while this node holds its lease, agrees with the others and was not told to go",
      nodes.readiness().ready,
    ),
    ...clusterSamples(nodes),
  ];
}

function clusterSamples(nodes: Nodes): MetricSample[] {
  const counts = nodes.counts?.();
  if (!counts) return [];
  const { id, name } = counts;
  return [
    {
      name: "node_info",
      type: "gauge",
      help: "1, with the name and the number of this node",
      value: new Map([[{ node: name, nodeNumber: String(id) }, 1]]),
    },
    gauge("lease_held", "1 while this node may write", counts.isLeaseHeld),
    gauge("node_draining", "1 since this node was told to go", counts.isDraining),
    gauge("sessions_owned", "Sessions that this node has", counts.sessionsOwned),
    counter("beats_total", "Beats of this node that arrived", counts.beats),
    counter("beats_failed_total", "Beats that did not", counts.failedBeats),
    counter("leases_lost_total", "Times this node found itself declared dead", counts.lostLeases),
    counter("claims_total", "Sessions that this node claimed", counts.claims),
    counter("takeovers_total", "Of these: from nodes that were dead", counts.takeovers),
    counter("nodes_declared_dead_total", "Nodes that this one declared dead", counts.declaredDead),
  ];
}

/** What this node asks of others. */
export function peerMetrics(counts: {
  readonly calls: number;
  readonly unanswered: number;
  readonly openStreams: number;
}): MetricSample[] {
  return [
    counter("peer_calls_total", "Commands and questions that this node gave to others", counts.calls),
    counter("peer_calls_unanswered_total", "Of these: those that nobody answered", counts.unanswered),
    gauge("peer_streams_open", "Streams of other nodes that this one follows", counts.openStreams),
  ];
}

function gauge(name: string, help: string, value: number | boolean): MetricSample {
  return { name, type: "gauge", help, value: Number(value) };
}

function counter(name: string, help: string, value: number): MetricSample {
  return { name, type: "counter", help, value };
}
