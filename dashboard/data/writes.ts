import { t } from '../texts/texts.ts';
import { outage } from './connection.ts';
import { mayWrite } from './session-state.ts';

/** Why nothing can be written now. */
export function writesWait(): string | undefined {
  if (outage.value !== undefined) return t.offline.writesWait;
  return mayWrite.value ? undefined : t.readOnly;
}
