import type { ComponentType, VNode } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { checkServer, onBack } from '../data/connection.ts';
import { t } from '../texts/texts.ts';
import { Failure } from './states.tsx';

/**
 * State of a component that is not yet shown. `error` is set if the component failed to load or render; otherwise the
 * component is still loading.
 */
export interface Pending {
  readonly error?: unknown;
  readonly onRetry: () => void;
}

const loads: (() => Promise<void>)[] = [];

/**
 * Returns a component whose code loads when it is first rendered. A failed load is retried immediately if the server
 * responds; otherwise, once the server is reachable again. The user can also request a retry.
 * @param pending renders the placeholder. By default, shows nothing while loading, and the error if loading fails.
 */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  pending: (state: Pending) => VNode | null = InPlace,
): ComponentType<P> {
  let Loaded: ComponentType<P> | undefined;
  const read = async () => {
    Loaded ??= await load();
  };
  loads.push(read);
  return function Lazy(props: P) {
    const [state, setState] = useState<{ error?: unknown }>({});
    const [crash, forgetCrash] = useErrorBoundary(reportError);
    const start = () => read().then(() => setState({}));
    const fail = (error: unknown) => setState({ error });
    const isShown = Loaded !== undefined;
    useEffect(() => {
      // There is nothing to load if the first render has already shown the component.
      if (isShown) return undefined;
      start().catch(async (error: unknown) => ((await checkServer()) ? start().catch(fail) : fail(error)));
      return onBack(() => void start().catch(fail));
    }, []);
    const onRetry = () => {
      if (crash !== undefined) return forgetCrash();
      setState({});
      start().catch(async (error: unknown) => {
        // Reload the page, because some browsers never retry a module that failed to load, and a new build has
        // different files.
        if (await checkServer()) location.reload();
        else fail(error);
      });
    };
    if (crash !== undefined) return pending({ error: crash, onRetry });
    return Loaded === undefined ? pending({ ...state, onRetry }) : <Loaded {...props} />;
  };
}

/** Loads all lazy components while the browser is idle. */
export function preload(): void {
  const begin = window.requestIdleCallback ?? setTimeout;
  begin(() => void Promise.all(loads.map((read) => read())).catch(() => {}));
}

function InPlace({ error, onRetry }: Pending) {
  return error === undefined ? null : <Failure title={t.loadFailed} error={error} onRetry={onRetry} />;
}
