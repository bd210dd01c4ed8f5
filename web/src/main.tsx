import "./zod-without-eval.ts";
import "./styles.css";
import { createRoot } from "react-dom/client";
import { takeTokenFromAddress } from "./api/token.ts";
import { App } from "./app.tsx";
import { takeCodeFromAddress } from "./join/invitation-code.ts";
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

/** The service worker of the built page. Browsers have one only for pages from localhost or over TLS. */
function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  // Not before the page is there: it would take part of the connection from it.
  const register = () => navigator.serviceWorker.register("/sw.js").catch(() => {});
  if (document.readyState === "complete") void register();
  else addEventListener("load", register, { once: true });
}
