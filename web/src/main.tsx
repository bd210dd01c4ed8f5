import "./zod-without-eval.ts";
import "./styles.css";
import { createRoot } from "react-dom/client";
import { takeTokenFromAddress } from "./api/token.ts";
import { App } from "./app.tsx";

takeTokenFromAddress();
createRoot(document.getElementById("root")!).render(<App />);
