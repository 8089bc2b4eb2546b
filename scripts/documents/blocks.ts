// Documents have parts that are made between two lines, and prose by hand around them:
//
//   <!-- made: endpoint shorten -->
//   …
//   <!-- end -->

const block = /^<!-- made: (.+) -->\n([\s\S]*?)^<!-- end -->$/gm;

/** Makes every block of a document anew. @param make by the name of a block; what stood in it before as `before` */
export function withBlocks(text: string, make: (name: string, before: string) => string): string {
  return text
    .replace(block, (_, name: string, before: string) => blockOf(name, make(name, before)))
    .replace(/^(#+ .+)\n\n(?=<!-- made: )/gm, '$1\n');
}

export function blockOf(name: string, made: string): string {
  return `<!-- made: ${name} -->\n${made.trim()}\n<!-- end -->`;
}

/**
 * Gives names that have no block yet a section of their own: behind the section of the name before, else at the end.
 * @param names in the order in which the sections stand
 * @param heading of a new section, with its marks
 */
export function withSections(text: string, names: readonly string[], heading: (name: string) => string) {
  let made = text;
  let end = 0;
  for (const name of names) {
    const at = made.indexOf(`<!-- made: ${name} -->`);
    if (at !== -1) {
      end = endOfSection(made, at);
      continue;
    }
    const section = `${heading(name)}\n${blockOf(name, '')}\n\n`;
    made = made.slice(0, end) + section + made.slice(end);
    end += section.length;
  }
  return made;
}

/** Where the next heading begins; lines of a console may begin with `#` too. */
function endOfSection(text: string, from: number): number {
  let inBlock = false;
  let at = from;
  for (const line of text.slice(from).split('\n')) {
    if (line.startsWith('```')) inBlock = !inBlock;
    if (!inBlock && /^#+ /.test(line)) return at;
    at += line.length + 1;
  }
  return text.length;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replace(/(?<!\\)\|/g, '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** Paragraphs, without the empty ones. */
export function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

export function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}
