import { computed, signal } from '@preact/signals';

/** Where the dashboard is served. */
export const base = '/dashboard';

/** The address, which is the only state of a screen: back, reload and sharing work by it. */
export const address = signal(new URL(location.href));
export const query = computed(() => address.value.searchParams);

type Route = (url: string, replace?: boolean) => void;
let route: Route = () => {};

/** Whether the reader came to this address by back or forward: then a list is where it was. */
export let cameBack = false;
let isBack = false;

/** The router tells its address and how to change it. */
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

/** The address with other query parameters; null takes one away. */
export function withQuery(changes: Readonly<Record<string, string | null>>, from = address.value): string {
  const url = new URL(from);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.pathname + readable(url.searchParams);
}

/** Whether the address asks for a new one, `?add`. */
export function asksToAdd(): boolean {
  return query.value.has('add');
}

/** A bare `?new` instead of `?new=`. */
function readable(params: URLSearchParams): string {
  const text = params.toString().replaceAll(/=(?=&|$)/g, '');
  return text === '' ? '' : `?${text}`;
}

/** The dialogs that lie over a screen, by their parameter, with what else they keep in the address. */
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

/** The dialog in the address. What another program shares with the page comes without a name: it becomes a new link. */
export const openDialogName = computed(() => {
  const isShared = ['url', 'text'].some((name) => query.value.has(name));
  return dialogs.find((name) => query.value.has(name)) ?? (isShared ? 'new' : undefined);
});

let openedHere = false;

/** Where a dialog over this screen has its address. */
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

/** Takes the dialog off the screen, after which back does not lead into it again. */
export function closeDialog(): Promise<void> {
  if (openDialogName.peek() === undefined) return Promise.resolve();
  if (!openedHere) {
    go(withQuery(noDialog), { replace: true });
    return Promise.resolve();
  }
  openedHere = false;
  return new Promise((resolve) => {
    // The router hears it first, and has the new address by then.
    addEventListener('popstate', () => setTimeout(resolve), { once: true });
    history.back();
  });
}

history.scrollRestoration = 'manual';
// Heard before the router hears it.
addEventListener('popstate', () => {
  isBack = true;
  openedHere = false;
});
