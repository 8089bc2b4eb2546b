// biome-ignore-all lint/style/noDefaultExport: `node --test` takes a reporter's default export.
/** A reporter that tells the files with a failed test, a line for each failure. */
export default async function* redFiles(
  events: AsyncIterable<{ readonly type: string; readonly data: { readonly file?: string } }>,
): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.file !== undefined) yield `${data.file}\n`;
  }
}
