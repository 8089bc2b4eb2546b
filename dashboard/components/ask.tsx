import { useState } from 'preact/hooks';
import { explain } from '../data/explain.ts';

/**
 * Sends one request at a time and shows its error. Stays busy after success, because a successful request closes the
 * dialog.
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

/** Shows an error message, if any. */
export function Fault({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="fault" role="alert">
      {text}
    </p>
  );
}
