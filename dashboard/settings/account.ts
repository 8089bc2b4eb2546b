import { useEffect, useState } from 'preact/hooks';
import type { GetAccountResult, UpdateAccountInput } from '../../src/client/client.ts';
import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';

export interface AccountSettings {
  readonly account: GetAccountResult;
  /** Applies a change immediately and saves it. Reverts the change if saving fails. */
  readonly onChange: (change: UpdateAccountInput) => void;
}

/** Returns the account's settings, or undefined until they are loaded. */
export function useAccount(): AccountSettings | undefined {
  const [account, setAccount] = useState<GetAccountResult>();
  useEffect(() => {
    api.getAccount().then(setAccount, showFailure);
  }, []);
  if (account === undefined) return undefined;
  const onChange = (change: UpdateAccountInput) => {
    setAccount({ ...account, ...change } as GetAccountResult);
    api.updateAccount(change).catch((error: unknown) => {
      setAccount(account);
      showFailure(error);
    });
  };
  return { account, onChange };
}
