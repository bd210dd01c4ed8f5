/** What every gateway under comparison can do, in the words of the comparison. */

export interface Gateway extends AsyncDisposable {
  readonly name: string;
  readonly pid: number;
  /** Starts the agent too: what follows measures no process start. */
  createSession(): Promise<GatewaySession>;
  /** The least there can be: without an agent where the gateway can, else with one that does nothing. */
  createIdleSession?(): Promise<unknown>;
}

export interface GatewaySession {
  /** Where its event stream is read. */
  readonly stream: StreamAddress;
  /** Resolves when the gateway has taken the prompt; `ended` when its answer says that the turn is over, if it ever does. */
  prompt(text: string): Promise<void>;
  /** Says yes to the permission request that this text of the stream contains. Undefined when there is none. */
  allow(streamText: string): Promise<void> | undefined;
}

export interface StreamAddress {
  readonly url: string;
  readonly path: string;
  readonly token?: string;
  /** Stands in the last event of a turn. */
  readonly end: string;
}
