/** Contains an error in one part of the page: what could not be rendered is shown as plain text. */
import { Component, type ReactNode } from "react";
import { useConnectionState } from "../feed/use-feed.tsx";
import { PlainText } from "../parts/plain-text.tsx";
import { CopyButton } from "./copy-button.tsx";

interface ErrorBoundaryProps {
  /** What could not be shown, in a word. */
  name: string;
  /** What is shown instead. */
  text?: () => string;
  /** Another value triggers a retry. */
  resetOn?: unknown;
  children: ReactNode;
}

/** With a connection that came back it tries again, too: its code may not have arrived. */
export function ErrorBoundary(props: ErrorBoundaryProps) {
  return <Boundary {...props} isLive={useConnectionState() === "live"} />;
}

interface BoundaryProps extends ErrorBoundaryProps {
  isLive: boolean;
}

interface BoundaryState {
  error: Error | undefined;
  resetOn: unknown;
  isLive: boolean;
}

/** What browsers say of code that they could not load. */
const NOT_LOADED = /dynamically imported module|module script failed/i;

class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = {
    error: undefined,
    resetOn: this.props.resetOn,
    isLive: this.props.isLive,
  };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps(
    { resetOn, isLive }: BoundaryProps,
    state: BoundaryState,
  ): Partial<BoundaryState> | null {
    const isBack = isLive && !state.isLive;
    return resetOn === state.resetOn && !isBack ? { isLive } : { error: undefined, resetOn, isLive };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    const text = readText(this.props.text);
    const isNotLoaded = NOT_LOADED.test(error.message);
    return (
      <div data-fault={this.props.name} className="rounded-lg border border-danger-border bg-danger-soft p-3">
        <p className="flex items-center gap-2 text-danger-text text-xs">
          <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
            {isNotLoaded
              ? `${this.props.name} could not be loaded. What you wrote stays when you reload.`
              : `${this.props.name} could not be shown properly (${error.message.slice(0, 200)}).`}
            {text !== "" && " This is its text:"}
          </span>
          {text !== "" && <CopyButton name={this.props.name} text={() => text} />}
          {/* A browser may remember that it failed. */}
          <button
            type="button"
            onClick={() => (isNotLoaded ? location.reload() : this.setState({ error: undefined }))}
            className="shrink-0 underline decoration-dotted underline-offset-2 touch:h-10"
          >
            {isNotLoaded ? "Reload" : "Try again"}
          </button>
        </p>
        {text !== "" && (
          <div className="mt-2 text-foreground">
            <PlainText text={text} />
          </div>
        )}
      </div>
    );
  }
}

/** If even its text cannot be made, the note remains. */
function readText(text: (() => string) | undefined): string {
  try {
    return text?.() ?? "";
  } catch {
    return "";
  }
}
