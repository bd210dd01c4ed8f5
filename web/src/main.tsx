import "./zod-without-eval.ts";
import "./styles.css";
import { createRoot } from "react-dom/client";
import { takeTokenFromAddress } from "./api/token.ts";
import { App } from "./app.tsx";
import { takeCodeFromAddress } from "./join/invitation-code.ts";
import { registerServiceWorker } from "./register-service-worker.ts";
import { ErrorBoundary } from "./ui/error-boundary.tsx";
import { watchFields } from "./ui/lost-field.ts";

takeTokenFromAddress();
takeCodeFromAddress();
watchFields();
createRoot(document.getElementById("root")!, {
  // What fails while it is drawn in the background is drawn again, and then works or is shown by a boundary.
  onRecoverableError: (error) => console.warn(error),
}).render(
  <ErrorBoundary name="The page">
    <App />
  </ErrorBoundary>,
);
registerServiceWorker();
