import { type FormEvent, useEffect, useState } from "react";
import { usePermissionModes } from "../access/use-permission-modes.ts";
import { daemon } from "../api/client.ts";
import { messageOf } from "../api/error-text.ts";
import type { Agent, CreateSession } from "../api/types.ts";
import { openSession } from "../route.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, Select, TextInput } from "../ui/field.tsx";
import { AgentStatus } from "./agent-status.tsx";
import { ModelField } from "./model-field.tsx";
import { PERMISSION_NAMES } from "./permission-names.ts";
import { useAgentStatus } from "./use-agent-status.ts";

export function NewSessionDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="New session"
      description="One conversation with one agent in one directory."
    >
      <NewSessionForm onClose={onClose} />
    </Dialog>
  );
}

function NewSessionForm({ onClose }: { onClose: () => void }) {
  const [agents, setAgents] = useState<readonly Agent[]>();
  const [agentName, setAgentName] = useState("");
  const [cwd, setCwd] = useState("");
  const [title, setTitle] = useState("");
  const [model, setModel] = useState("");
  const [mode, setMode] = useState("");
  const [permissionMode, setPermissionMode] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isMaking, setIsMaking] = useState(false);

  useEffect(() => {
    const controller = new AbortController();
    daemon()
      .call("GET /v1/agents", {}, controller.signal)
      .then(
        (list) => {
          setAgents(list.agents);
          setAgentName(list.default);
        },
        (error) => controller.signal.aborted || setProblem(messageOf(error)),
      );
    return () => controller.abort();
  }, []);

  const agent = agents?.find(({ name }) => name === agentName);
  const status = useAgentStatus(agentName);
  const permissionModes = usePermissionModes(agent);

  /** Another agent has other models and modes. */
  function choose(name: string) {
    setAgentName(name);
    setModel("");
    setMode("");
    setPermissionMode("");
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    setIsMaking(true);
    setProblem(undefined);
    const request: CreateSession = {
      agent: agentName,
      cwd: cwd.trim() || undefined,
      title: title.trim() || undefined,
      model: model.trim() || undefined,
      mode: mode || undefined,
      permissionMode: permissionMode || undefined,
    };
    try {
      const session = await daemon().call("POST /v1/sessions", { body: request });
      openSession(session.id);
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
      setIsMaking(false);
    }
  }

  return (
    <form onSubmit={submit} className="mt-4 space-y-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Agent">
          {(ids) => (
            <Select
              {...ids}
              value={agentName}
              disabled={!agents}
              onChange={(event) => choose(event.target.value)}
            >
              {agents?.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Title">
          {(ids) => (
            <TextInput
              {...ids}
              placeholder="From the first prompt"
              maxLength={500}
              value={title}
              onChange={(event) => setTitle(event.target.value)}
            />
          )}
        </Field>
      </div>
      <AgentStatus {...status} />
      <Field
        label="Directory"
        hint="Has to lie inside the roots the daemon was started with. Most agents run what the directory holds: hooks, MCP servers and plugins."
      >
        {(ids) => (
          <TextInput
            {...ids}
            placeholder="Where the daemon was started, or its first root"
            spellCheck={false}
            className="font-mono text-xs"
            value={cwd}
            onChange={(event) => setCwd(event.target.value)}
          />
        )}
      </Field>
      <ModelField value={model} models={status.agent?.status?.models} onChange={setModel} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Mode">
          {(ids) => (
            <Select
              {...ids}
              value={mode}
              disabled={!agent?.capabilities.modes.length}
              onChange={(event) => setMode(event.target.value)}
            >
              <option value="">The agent’s default</option>
              {agent?.capabilities.modes.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Permissions">
          {(ids) => (
            <Select
              {...ids}
              value={permissionMode}
              disabled={permissionModes.length === 0}
              onChange={(event) => setPermissionMode(event.target.value)}
            >
              <option value="">The agent’s default</option>
              {permissionModes.map((name) => (
                <option key={name} value={name}>
                  {PERMISSION_NAMES[name]}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      {problem && (
        <p role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-danger-text text-xs">
          {problem}
        </p>
      )}
      <div className="flex justify-end gap-2 pt-1">
        <Button look="ghost" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" look="primary" disabled={!agent || isMaking}>
          Create session
        </Button>
      </div>
    </form>
  );
}
