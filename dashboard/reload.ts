// Used only by `npm run dev`: reloads the page after a new build.

const everyMs = 400;
let shown: string | null | undefined;

setInterval(() => void reloadWhenChanged(), everyMs);

async function reloadWhenChanged(): Promise<void> {
  const answer = await fetch('/dashboard', { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
  if (answer === undefined || !answer.ok) return; // the server is restarting
  const version = answer.headers.get('etag');
  if (shown !== undefined && version !== shown) location.reload();
  shown = version;
}
