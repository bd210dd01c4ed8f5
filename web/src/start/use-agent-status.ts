/** Whether the selected agent can be used, and its installation if it is missing. */
import { useCallback, useEffect, useRef, useState } from "react";
import { Agents } from "../../../src/sdk/client.ts";
import { daemon } from "../api/client.ts";
import { messageOf } from "../api/error-text.ts";
import type { Agent } from "../api/types.ts";

export interface AgentStatusView {
  agent: Agent | undefined;
  /** Set while it is being installed; a part of 1 where the size is known. */
  progress: { part?: number } | undefined;
  problem: string | undefined;
  install: () => void;
  /** Looks again, after somebody did what it needs. */
  check: () => void;
  isChecking: boolean;
}

export function useAgentStatus(name: string): AgentStatusView {
  const [agent, setAgent] = useState<Agent>();
  const [progress, setProgress] = useState<{ part?: number }>();
  const [problem, setProblem] = useState<string>();
  const [isChecking, setIsChecking] = useState(false);

  useEffect(() => {
    setAgent(undefined);
    setProblem(undefined);
    setProgress(undefined);
    if (name === "") return;
    const controller = new AbortController();
    probe(name, controller.signal).then(setAgent, () => {});
    return () => controller.abort();
  }, [name]);

  const picked = useRef(name);
  picked.current = name;
  const install = useCallback(() => {
    // It goes on if another agent is selected meanwhile, but is no longer shown.
    const show = (change: () => void) => picked.current === name && change();
    setProblem(undefined);
    setProgress({});
    follow(name, (progress) => show(() => setProgress(progress)))
      .then(() => probe(name))
      .then((installed) => show(() => setAgent(installed)))
      .catch((error) => show(() => setProblem(messageOf(error))))
      .finally(() => show(() => setProgress(undefined)));
  }, [name]);

  const check = useCallback(() => {
    const show = (change: () => void) => picked.current === name && change();
    setIsChecking(true);
    probe(name)
      .then((found) => show(() => setAgent(found)))
      .catch((error) => show(() => setProblem(messageOf(error))))
      .finally(() => setIsChecking(false));
  }, [name]);

  return { agent, progress, problem, install, check, isChecking };
}

function probe(name: string, signal?: AbortSignal): Promise<Agent> {
  return daemon().call("GET /v1/agents/{agent}", { params: { agent: name } }, signal);
}

/** Resolves when the agent is installed. Rejects with the daemon's message if that fails. */
async function follow(name: string, onProgress: (progress: { part?: number }) => void): Promise<void> {
  for await (const frame of new Agents(daemon()).install(name)) {
    if (frame.phase === "failed") throw new Error(frame.detail);
    if (frame.phase === "installed") return;
    const { bytes, total } = frame;
    onProgress(bytes !== undefined && total ? { part: Math.min(1, bytes / total) } : {});
  }
}
