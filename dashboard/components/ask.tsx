import { useState } from 'preact/hooks';
import { explain } from '../data/explain.ts';

/**
 * What asks something of the server, once at a time, and says why it was refused. It stays busy after that was done: what asked
 * goes away then.
 */
export function useAsk(why: (error: unknown) => string = explain) {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const ask = async (work: () => Promise<unknown>) => {
    if (isBusy) return;
    setBusy(true);
    try {
      await work();
    } catch (error) {
      setFault(why(error));
      setBusy(false);
    }
  };
  return { isBusy, fault, setFault, ask };
}

/** Why something was not done, if it was not. */
export function Fault({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="fault" role="alert">
      {text}
    </p>
  );
}
