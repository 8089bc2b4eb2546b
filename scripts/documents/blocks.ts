// Documents contain generated blocks with hand-written text around them:
//
//   <!-- made: endpoint shorten -->
//   …
//   <!-- end -->

const block = /^<!-- made: (.+) -->\n([\s\S]*?)^<!-- end -->$/gm;

/**
 * Regenerates every block in a document.
 * @param make returns the new content of the block with the given name; `before` is the old content
 */
export function withBlocks(text: string, make: (name: string, before: string) => string): string {
  return text
    .replace(block, (_, name: string, before: string) => blockOf(name, make(name, before)))
    .replace(/^(#+ .+)\n\n(?=<!-- made: )/gm, '$1\n');
}

export function blockOf(name: string, made: string): string {
  return `<!-- made: ${name} -->\n${made.trim()}\n<!-- end -->`;
}

/**
 * Adds a section for each name that has no block, after the section of the previous name.
 * @param names names in section order
 * @param heading returns the heading of a new section
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

/** Returns the position of the next heading, ignoring `#` in code blocks. */
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

/** Joins paragraphs, skipping empty ones. */
export function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

export function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}
