// Only in `npm run dev`: shows a new build as soon as there is one.

const everyMs = 400;
let shown: string | null | undefined;

setInterval(() => void reloadWhenChanged(), everyMs);

async function reloadWhenChanged(): Promise<void> {
  const answer = await fetch('/dashboard', { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
  if (answer === undefined || !answer.ok) return; // the server starts again
  const version = answer.headers.get('etag');
  if (shown !== undefined && version !== shown) location.reload();
  shown = version;
}
