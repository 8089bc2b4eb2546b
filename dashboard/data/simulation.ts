import { useEffect, useState } from 'preact/hooks';
import type { SimulateInput, Simulation } from '../../src/client/client.ts';
import { api } from './client.ts';

/** Milliseconds between the last change and the request. */
const waitMs = 250;

/** Result of a simulated visit. `of` is the value that the caller passed with the input. */
export interface Simulated<T> {
  readonly of: T;
  readonly answer?: Simulation;
  readonly error?: unknown;
}

/**
 * Simulates a visit to a link shortly after the input last changed.
 * @param input undefined while the form is incomplete
 * @param linkId undefined for a new link
 * @param of returned with the result
 * @returns undefined until there is a result
 */
export function useSimulation<T>(
  input: SimulateInput | Omit<SimulateInput, 'url'> | undefined,
  linkId: string | undefined,
  of: T,
): Simulated<T> | undefined {
  const [simulated, setSimulated] = useState<Simulated<T>>();
  const question = JSON.stringify(input);
  useEffect(() => {
    if (question === undefined) return setSimulated(undefined);
    const ending = new AbortController();
    const options = { signal: ending.signal };
    const timer = setTimeout(() => {
      const input = JSON.parse(question) as SimulateInput;
      const asked =
        linkId === undefined ? api.simulate(input, options) : api.simulateLink(linkId, input, options);
      asked.then(
        (answer) => setSimulated({ of, answer }),
        (error: unknown) => {
          if (!ending.signal.aborted) setSimulated({ of, error });
        },
      );
    }, waitMs);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [question, linkId]);
  return simulated;
}
