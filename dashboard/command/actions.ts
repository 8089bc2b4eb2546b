import { base, go, openDialog } from '../browser/location.ts';
import type { IconName } from '../components/icons.ts';
import { exportAddress } from '../data/links/export-address.ts';
import { prefer, preferences } from '../data/preferences.ts';
import { may, me } from '../data/session-state.ts';
import { signOut } from '../sign-in/session.ts';
import { matcher, noMatch } from '../texts/matching.ts';
import { synonyms } from './synonyms.ts';
import { t } from './texts.ts';

export interface Action {
  readonly id: keyof typeof synonyms;
  readonly icon: IconName;
  readonly label: string;
  readonly run: () => void;
}

const to = (path: string) => () => go(base + path);

/** Returns all commands in order: screens, settings sections, actions, and dialogs that create something. */
function allActions(): readonly Action[] {
  const { command, places } = t;
  const screen = (id: keyof typeof places & Action['id'], icon: IconName, isAllowed = true) =>
    isAllowed ? [{ id, icon, label: places[id], run: to(id === 'home' ? '' : `/${id}`) }] : [];
  const settings = (Object.keys(command.settings) as (keyof typeof command.settings)[]).map((id) => ({
    id,
    icon: 'settings' as const,
    label: `${places.settings}: ${command.settings[id]}`,
    run: to(`/settings#${id}`),
  }));
  const act = (id: keyof typeof command.acts, icon: IconName, run: () => void, isAllowed = true) =>
    isAllowed ? [{ id, icon, label: command.acts[id], run }] : [];
  const has: Partial<Record<Action['id'], boolean>> = {
    branding: may('domains:write'),
    passkeys: Boolean(me.value?.person),
  };
  const managesMembers = may('people:write');
  const managesWebhooks = may('webhooks:write');
  return [
    ...screen('home', 'home'),
    ...screen('links', 'link'),
    ...screen('statistics', 'chart'),
    ...screen('folders', 'folder'),
    ...screen('tags', 'hash'),
    ...screen('bin', 'bin'),
    ...screen('domains', 'globe'),
    ...screen('people', 'people', managesMembers),
    ...screen('compare', 'chart', may('analytics:read')),
    ...screen('activity', 'clock', may('audit:read')),
    ...screen('keys', 'key'),
    ...screen('webhooks', 'external', managesWebhooks),
    ...screen('imports', 'upload'),
    ...screen('settings', 'settings'),
    ...settings.filter(({ id }) => has[id] ?? true),
    ...act('operator', 'settings', to('/operator'), me.value?.isOperator ?? false),
    ...act('theme', 'globe', switchTheme),
    ...act('language', 'globe', switchLanguage),
    ...act('export', 'download', () => location.assign(exportAddress('links', 'csv', {}))),
    ...act('api', 'terminal', () => location.assign('/api/v1/docs')),
    ...act('help', 'help', () => openDialog('help')),
    ...act('accounts', 'person', () => openDialog('accounts')),
    ...act('signOut', 'external', () => void signOut()),
    ...act('newLink', 'plus', () => openDialog('new')),
    ...act('many', 'plus', () => openDialog('many')),
    ...act('campaign', 'plus', () => openDialog('campaign')),
    ...act('newFolder', 'plus', to('/folders?add')),
    ...act('newTag', 'plus', to('/tags?add')),
    ...act('newDomain', 'plus', to('/domains?add')),
    ...act('invite', 'plus', to('/people?invite'), managesMembers),
    ...act('newKey', 'plus', to('/keys?key')),
    ...act('newWebhook', 'plus', to('/webhooks?add'), managesWebhooks),
  ];
}

/**
 * Returns the actions that match the search text, best match first. Labels rank above synonyms, and navigation ranks
 * above creation.
 * @returns exact matches in `meant`, the rest in `others`
 */
export function findActions(text: string): {
  readonly meant: readonly Action[];
  readonly others: readonly Action[];
} {
  const all = allActions();
  const query = text.trim().toLowerCase();
  if (query === '') return { meant: [], others: all };
  const rank = matcher(query, { allowsTypos: true });
  const ranked = all
    .map((action) => {
      const { id, label } = action;
      const words = synonyms[id];
      const isSynonym = ` ${words} `.includes(` ${query} `);
      return { action, isSynonym, rank: Math.min(rank(label), Math.max(2, rank(`${label} ${words}`))) };
    })
    .filter((one) => one.rank < noMatch)
    .toSorted((a, b) => a.rank - b.rank);
  const isMeant = (one: (typeof ranked)[number]) => query.length > 2 && (one.rank < 2 || one.isSynonym);
  const actionsOf = (wanted: boolean) =>
    ranked.filter((one) => isMeant(one) === wanted).map(({ action }) => action);
  return { meant: actionsOf(true), others: actionsOf(false) };
}

function switchTheme(): void {
  const isDark =
    preferences.peek().theme === 'dark' ||
    (preferences.peek().theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  prefer({ theme: isDark ? 'light' : 'dark' });
}

function switchLanguage(): void {
  prefer({ language: document.documentElement.lang.startsWith('de') ? 'en' : 'de' });
  location.reload();
}
