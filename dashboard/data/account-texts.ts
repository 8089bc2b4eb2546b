import { api } from './client.ts';

/** What the account keeps for its dashboards: the same on every device. Undefined when there is none, or no answer. */
export async function readAccountText(name: string): Promise<string | undefined> {
  try {
    return (await api.getPreferences()).values[name];
  } catch {
    return undefined;
  }
}

/** Keeps one text; those of other parts stay. */
export async function keepAccountText(name: string, text: string): Promise<void> {
  const { values } = await api.getPreferences();
  await api.putPreferences({ values: { ...values, [name]: text } });
}
