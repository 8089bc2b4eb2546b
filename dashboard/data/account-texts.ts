import { api } from './client.ts';

/**
 * Texts that the account stores for its dashboards, the same on every device. Undefined if there are none, or they
 * could not be loaded.
 */
export async function readAccountText(name: string): Promise<string | undefined> {
  try {
    return (await api.getPreferences()).values[name];
  } catch {
    return undefined;
  }
}

/** Stores one text and keeps the others. */
export async function keepAccountText(name: string, text: string): Promise<void> {
  const { values } = await api.getPreferences();
  await api.putPreferences({ values: { ...values, [name]: text } });
}
