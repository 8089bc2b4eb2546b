import { t } from './texts.ts';

/** Translates a browser's description from the API, such as `Firefox on Linux` or `Another program`. */
export function browserText(agent: string): string {
  if (agent === 'Another program') return t.otherProgram;
  const [browser = '', system] = agent.split(' on ');
  return system === undefined ? browser : t.browserOn(browser, system);
}
