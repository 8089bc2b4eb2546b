import { errors } from '../../src/contract/errors.ts';

// Generates an HTML page from docs/errors.md. The server serves it at the URL in the `error.docs` field of API errors.

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Converts inline Markdown to HTML. Keeps code, and replaces links with their text. */
function inline(markdown: string): string {
  return escaped(markdown.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** Returns the error page as HTML. @param document content of docs/errors.md; its last column contains the fix */
export function errorPage(document: string): string {
  const rows = document.split('\n').map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
  const remedies = new Map(
    rows.map(([code = '', ...cells]) => [code.replaceAll('`', ''), cells.at(-1) ?? '']),
  );
  const entries = Object.entries(errors).map(
    ([code, { status, meaning }]) => `<section id="${code}">
<h2><a href="#${code}">${code}</a> <small>${status}</small></h2>
<p>${inline(meaning)}</p>
<p>${inline(remedies.get(code) ?? '')}</p>
</section>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Errors · Linkfold</title>
<style>
:root { color-scheme: light dark; --line: light-dark(#d9dcd6, #3a403b); --mark: light-dark(#e6efe9, #24332b) }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 6rem; color: light-dark(#1c211d, #e4e8e3); background: light-dark(#fff, #141815) }
h1 { font-size: 1.5rem } h2 { font-size: 1rem; margin: 0 } h2, code { font-family: ui-monospace, monospace; overflow-wrap: anywhere }
small { font-weight: 400; opacity: .75 } code { font-size: .9em } p { margin: .3rem 0 }
a { color: inherit; text-decoration-color: var(--line) } section { padding: .9rem .8rem; border-top: 1px solid var(--line) }
section:target { background: var(--mark); border-radius: .4rem }
</style>
<h1>API errors</h1>
<p>Every error response contains a code. Below each code: what it means, then what to do.</p>
${entries.join('\n')}
</html>
`;
}
