import { outage } from './connection.ts';
import { mayWrite } from './session-state.ts';
import { t } from './texts.ts';

/** Returns why changes are currently disabled, or undefined if they are enabled. */
export function writesWait(): string | undefined {
  if (outage.value !== undefined) return t.writes.wait;
  return mayWrite.value ? undefined : t.writes.readOnly;
}
