import { api } from '../data/client.ts';
import { me } from '../data/session-state.ts';
import { arrive } from './session.ts';

/** Whether this browser can have passkeys, in this window. */
export const canHavePasskeys =
  isSecureContext &&
  // They are bound to names.
  !/^[\d.]+$|^\[/.test(location.hostname) &&
  'PublicKeyCredential' in globalThis &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential;

/** Makes a passkey of the person, and keeps it under a name. @throws what the browser or the server says */
export async function addPasskey(name: string): Promise<void> {
  const asked = await api.beginPasskey();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    asked as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const made = await navigator.credentials.create({ publicKey });
  await api.addPasskey({ name, response: answerOf(made) });
}

/** Signs in whoever a passkey of this browser is of. */
export async function signInByPasskey(): Promise<void> {
  const asked = await api.askForPasskey();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    asked as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const found = await navigator.credentials.get({ publicKey });
  const before = me.peek()?.account;
  await api.signInByPasskey({ response: answerOf(found) });
  await arrive(before);
}

function answerOf(credential: Credential | null): Record<string, unknown> {
  return (credential as PublicKeyCredential).toJSON() as unknown as Record<string, unknown>;
}

/** Whether the person turned away from the question of their browser, which is no fault. */
export function isTurnedAway(error: unknown): boolean {
  return error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name);
}
