/** Contains an error in one part of the page: what could not be rendered is shown as plain text. */
import { Component, type ReactNode } from "react";
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

interface ErrorBoundaryState {
  error: Error | undefined;
  resetOn: unknown;
}

export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: undefined, resetOn: this.props.resetOn };

  static getDerivedStateFromError(error: unknown): Partial<ErrorBoundaryState> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps(
    { resetOn }: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): Partial<ErrorBoundaryState> | null {
    return resetOn === state.resetOn ? null : { error: undefined, resetOn };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    const text = readText(this.props.text);
    return (
      <div data-fault={this.props.name} className="rounded-lg border border-danger-border bg-danger-soft p-3">
        <p className="flex items-center gap-2 text-danger-text text-xs">
          <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
            {this.props.name} could not be shown properly ({error.message.slice(0, 200)}).
            {text !== "" && " This is its text:"}
          </span>
          {text !== "" && <CopyButton name={this.props.name} text={() => text} />}
          <button
            type="button"
            onClick={() => this.setState({ error: undefined })}
            className="shrink-0 underline decoration-dotted underline-offset-2 touch:h-10"
          >
            Try again
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
