import { computed, signal } from '@preact/signals';

/** Base path of the dashboard. */
export const base = '/dashboard';

/** Server URL for API clients, without a trailing slash. */
export const serverUrl = location.origin + base.replace(/\/[^/]*$/, '');

/** Current URL. Screens keep their state only here, so that going back, reloading and sharing the URL work. */
export const address = signal(new URL(location.href));
export const query = computed(() => address.value.searchParams);

type Route = (url: string, replace?: boolean) => void;
let route: Route = () => {};

/** Whether the user arrived with the browser's back or forward button. If so, lists restore their scroll position. */
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

/** Returns the URL with changed query parameters. A null value removes the parameter. */
export function withQuery(changes: Readonly<Record<string, string | null>>, from = address.value): string {
  const url = new URL(from);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.pathname + readable(url.searchParams);
}

/** Returns true if the URL opens the screen's "Add" dialog (`?add`). */
export function asksToAdd(): boolean {
  return query.value.has('add');
}

/** Formats a query string with a bare `?new` instead of `?new=`. */
function readable(params: URLSearchParams): string {
  const text = params.toString().replaceAll(/=(?=&|$)/g, '');
  return text === '' ? '' : `?${text}`;
}

/** Names of dialogs. Each name is also the query parameter that opens the dialog. */
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
 * Name of the dialog in the URL. Content shared from another app has no dialog name and opens the builder for a new
 * link.
 */
export const openDialogName = computed(() => {
  const isShared = ['url', 'text'].some((name) => query.value.has(name));
  return dialogs.find((name) => query.value.has(name)) ?? (isShared ? 'new' : undefined);
});

let openedHere = false;

/** Returns the URL that opens a dialog on top of the current screen. */
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

/** Closes the dialog so that "back" does not reopen it. */
export function closeDialog(): Promise<void> {
  if (openDialogName.peek() === undefined) return Promise.resolve();
  if (!openedHere) {
    go(withQuery(noDialog), { replace: true });
    return Promise.resolve();
  }
  openedHere = false;
  return new Promise((resolve) => {
    // Resolve after the router's own listener has updated the router's location.
    addEventListener('popstate', () => setTimeout(resolve), { once: true });
    history.back();
  });
}

history.scrollRestoration = 'manual';
// Registered before the router's listener, so it runs first.
addEventListener('popstate', () => {
  isBack = true;
  openedHere = false;
});
