import { api } from './client.ts';

/**
 * Returns a named string that the dashboard has stored in the account. It is the same on all devices. Returns undefined
 * if the string is not set or cannot be loaded.
 */
export async function readAccountText(name: string): Promise<string | undefined> {
  try {
    return (await api.getPreferences()).values[name];
  } catch {
    return undefined;
  }
}

/** Stores a string in the account. Other stored strings stay unchanged. */
export async function keepAccountText(name: string, text: string): Promise<void> {
  const { values } = await api.getPreferences();
  await api.putPreferences({ values: { ...values, [name]: text } });
}
