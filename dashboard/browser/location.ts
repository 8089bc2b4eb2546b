import { computed, signal } from '@preact/signals';

/** Base path of the dashboard. */
export const base = '/dashboard';

/** URL of the server for programs, without a slash at the end. */
export const serverUrl = location.origin + base.replace(/\/[^/]*$/, '');

/** The URL is the only state of a screen, so that back, reload and sharing work. */
export const address = signal(new URL(location.href));
export const query = computed(() => address.value.searchParams);

type Route = (url: string, replace?: boolean) => void;
let route: Route = () => {};

/** Whether the user arrived with back or forward: lists then restore their scroll position. */
export let cameBack = false;
let isBack = false;

/** Called by the router with the current URL and the function that navigates. */
export function follow(url: string, navigate: Route): void {
  route = navigate;
  const next = new URL(url, location.origin);
  if (next.href === address.peek().href) return;
  cameBack = isBack;
  isBack = false;
  address.value = next;
}

export function go(url: string, { replace = false } = {}): void {
  route(url, replace);
}

/** Returns the URL with changed query parameters; null removes one. */
export function withQuery(changes: Readonly<Record<string, string | null>>, from = address.value): string {
  const url = new URL(from);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.pathname + readable(url.searchParams);
}

/** Returns true if the URL opens the "new" dialog (`?add`). */
export function asksToAdd(): boolean {
  return query.value.has('add');
}

/** Writes a bare `?new` instead of `?new=`. */
function readable(params: URLSearchParams): string {
  const text = params.toString().replaceAll(/=(?=&|$)/g, '');
  return text === '' ? '' : `?${text}`;
}

/** Names of dialogs, which are also their query parameters. */
const dialogs = [
  'new',
  'many',
  'campaign',
  'edit',
  'qr',
  'share',
  'codes',
  'key',
  'invite',
  'accounts',
  'help',
] as const;
export type DialogName = (typeof dialogs)[number];

const noDialog = Object.fromEntries(
  [...dialogs, 'url', 'code', 'text', 'title', 'part'].map((name) => [name, null]),
) as Record<string, null>;

/**
 * Returns the dialog in the URL. Content shared from another app arrives without a dialog name and opens a new link.
 */
export const openDialogName = computed(() => {
  const isShared = ['url', 'text'].some((name) => query.value.has(name));
  return dialogs.find((name) => query.value.has(name)) ?? (isShared ? 'new' : undefined);
});

let openedHere = false;

/** Returns the URL of a dialog over this screen. */
export function dialogAddress(
  name: DialogName,
  value = '',
  more: Readonly<Record<string, string>> = {},
): string {
  return withQuery({ ...noDialog, ...more, [name]: value });
}

export function openDialog(name: DialogName, value = '', more: Readonly<Record<string, string>> = {}): void {
  const isOver = openDialogName.peek() !== undefined;
  go(dialogAddress(name, value, more), { replace: isOver });
  if (!isOver) openedHere = true;
}

/** Closes the dialog so that "back" does not open it again. */
export function closeDialog(): Promise<void> {
  if (openDialogName.peek() === undefined) return Promise.resolve();
  if (!openedHere) {
    go(withQuery(noDialog), { replace: true });
    return Promise.resolve();
  }
  openedHere = false;
  return new Promise((resolve) => {
    // The router's listener runs first, so its location is already current.
    addEventListener('popstate', () => setTimeout(resolve), { once: true });
    history.back();
  });
}

history.scrollRestoration = 'manual';
// Runs before the router's listener.
addEventListener('popstate', () => {
  isBack = true;
  openedHere = false;
});
