// biome-ignore-all lint/style/noDefaultExport: `node --test` takes a reporter's default export.
/** A reporter that lists the files with failed tests, one line per failure. */
export default async function* redFiles(
  events: AsyncIterable<{ readonly type: string; readonly data: { readonly file?: string } }>,
): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.file !== undefined) yield `${data.file}\n`;
  }
}
