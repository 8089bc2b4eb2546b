import { writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type Command, Option } from 'commander';
import type { Client } from '../../client/client.ts';
import { createCode, levels, scanUrl, shapes } from '../../qr/code.ts';
import { terminalLines } from '../../qr/terminal.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { wholeNumber } from '../terminal/options.ts';
import { note, printJson, printLine } from '../terminal/print.ts';
import { aboutLink, findLink } from '../terminal/references.ts';
import { addServerCommand, connectToServer, type RemoteOptions } from '../terminal/remote.ts';

type QrInput = NonNullable<Parameters<Client['linkQr']>[1]>;

interface QrOptions extends RemoteOptions, Pick<QrInput, (typeof styleOptions)[number]> {
  readonly out?: string;
  readonly level?: NonNullable<QrInput['level']>;
}

/** Options that apply only to image files. */
const styleOptions = ['size', 'millimetres', 'shape', 'margin', 'color', 'background'] as const;

export function addQr(program: Command): void {
  addServerCommand(program, 'qr', 'Show the QR code of a link, or save it as an image', {
    examples: [
      ['linkfold qr spring', 'in the terminal'],
      ['linkfold qr spring --out spring.svg', 'for print, in any size'],
      ['linkfold qr spring --out spring.pdf --millimetres 60 --shape dots', 'for print, 60 mm wide'],
      ['linkfold qr spring --out spring.png --size 2048 --color 1f4d41', 'as pixels'],
    ],
    notes:
      'The code contains the short URL with ?trigger=qr, so that scans are counted separately. An existing file is replaced.',
  })
    .argument('<link>', aboutLink)
    .option('--out <file>', 'image file, ending in .svg, .png or .pdf')
    .option('--size <pixels>', 'width and height in pixels, 64 to 4096 (default: 1024)', wholeNumber)
    .option('--millimetres <mm>', 'width and height of an SVG or PDF in mm, 10 to 2000', wholeNumber)
    .addOption(new Option('--shape <shape>', 'shape of the modules (default: square)').choices(shapes))
    .option('--margin <modules>', 'margin in modules, 0 to 16 (default: 4)', wholeNumber)
    .option('--color <hex>', 'color of the dark modules, such as 1f4d41 (default: 000000)')
    .option('--background <color>', 'background color, or transparent (default: ffffff)')
    .addOption(new Option('--level <level>', 'error correction level (default: M)').choices(levels))
    .action(async (given: string, options: QrOptions) => {
      const { out, level = 'M', json } = options;
      const format = out === undefined ? undefined : formatOf(out);
      const pointless = styleOptions.find((name) => options[name] !== undefined);
      if (format === undefined && pointless !== undefined)
        throw new Stop(exits.usage, `--${pointless} requires an image file. Pass --out.`);
      const connection = await connectToServer(options);
      const link = await findLink(connection, given);
      const facts = { shortCode: link.shortCode, url: scanUrl(link.shortUrl) };
      if (format === undefined || out === undefined) {
        if (json) return printJson({ ...facts, rows: rowsOf(facts.url, level) });
        for (const line of terminalLines(createCode(facts.url, level), takesColours())) printLine(line);
        return note(facts.url);
      }
      const style = Object.fromEntries(styleOptions.map((name) => [name, options[name]]));
      const image = await connection.client.linkQr(link.id, { ...style, format, level });
      writeFileSync(out, Buffer.from(await image.arrayBuffer()));
      if (json) printJson({ ...facts, file: out });
      else note(`Saved the QR code of ${facts.url} to ${out}.`);
    });
}

function formatOf(file: string): 'svg' | 'png' | 'pdf' {
  const ending = extname(file).toLowerCase();
  const format = (['svg', 'png', 'pdf'] as const).find((one) => ending === `.${one}`);
  if (format !== undefined) return format;
  throw new Stop(exits.usage, `${file} must end in .svg, .png or .pdf.`);
}

/**
 * Returns the QR code in a form that programs can read: a string of 0 and 1 for each row of modules, where 1 is dark.
 */
function rowsOf(url: string, level: NonNullable<QrOptions['level']>): string[] {
  return createCode(url, level).rows.map((row) => row.map(Number).join(''));
}

/**
 * Returns true if the terminal supports colors. Ignores NO_COLOR, because a QR code needs explicit colors: the terminal
 * may be light or dark.
 */
function takesColours(): boolean {
  return process.stdout.isTTY === true && process.env.TERM !== 'dumb';
}
