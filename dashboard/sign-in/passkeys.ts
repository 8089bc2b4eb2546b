import { api } from '../data/client.ts';
import { me } from '../data/session-state.ts';
import { arrive } from './session.ts';

/** Whether passkeys work in this browser and on this host. */
export const canHavePasskeys =
  isSecureContext &&
  // Passkeys are bound to host names and do not work with IP addresses.
  !/^[\d.]+$|^\[/.test(location.hostname) &&
  'PublicKeyCredential' in globalThis &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential;

/** Creates a passkey and registers it with a name. @throws the error from the browser or the server */
export async function addPasskey(name: string): Promise<void> {
  const asked = await api.beginPasskey();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    asked as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const made = await navigator.credentials.create({ publicKey });
  await api.addPasskey({ name, response: answerOf(made) });
}

/** Signs in with a passkey that the browser offers. */
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

/** Returns true if the user canceled the browser's dialog, which is not an error. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name);
}
