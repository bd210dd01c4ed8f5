/**
 * Parts of the page whose code comes when they are first shown, or before that when there is time. A browser may
 * remember for good that an import failed, so none is begun while the daemon cannot be reached.
 */
import { type ComponentProps, type ComponentType, lazy, Suspense } from "react";
import { useConnectionState } from "../feed/use-feed.tsx";

const ahead = new Set<() => Promise<unknown>>();

/** React draws again at once what could not be loaded, and is to find the failure then. */
const FORGET_FAILURE_MS = 1000;

/** While the code is missing, `Waiting` is shown without a connection and `Loading` with one. */
// biome-ignore lint/suspicious/noExplicitAny: as `lazy` itself has it
export function lazyPart<Part extends ComponentType<any>>(
  load: () => Promise<{ default: Part }>,
  Waiting?: ComponentType<ComponentProps<Part>>,
  Loading?: ComponentType<ComponentProps<Part>>,
): ComponentType<ComponentProps<Part>> {
  let isLoaded = false;
  let Part = lazy(begin);
  ahead.add(loadOnce);

  async function loadOnce() {
    const module = await load();
    isLoaded = true;
    return module;
  }

  function begin() {
    const loading = loadOnce();
    loading.catch(() =>
      setTimeout(() => {
        Part = lazy(begin);
      }, FORGET_FAILURE_MS),
    );
    return loading;
  }

  return function LazyPart(props: ComponentProps<Part>) {
    if (useConnectionState() === "lost" && !isLoaded) return Waiting ? <Waiting {...props} /> : null;
    return (
      <Suspense fallback={Loading && <Loading {...props} />}>
        <Part {...props} />
      </Suspense>
    );
  };
}

/** One after the other, as long as `signal` lets it. What fails is loaded when it is shown. */
export async function loadAllAhead(signal: AbortSignal): Promise<void> {
  for (const load of [...ahead]) {
    await untilIdle();
    if (signal.aborted) return;
    ahead.delete(load);
    await load().catch(() => ahead.add(load));
  }
}

function untilIdle(): Promise<void> {
  return new Promise((done) =>
    // Not every browser says when it has nothing to do.
    "requestIdleCallback" in globalThis ? requestIdleCallback(() => done()) : setTimeout(done, 100),
  );
}
