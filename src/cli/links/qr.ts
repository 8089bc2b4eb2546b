import { writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type Command, Option } from 'commander';
import type { Client } from '../../client/client.ts';
import { createCode, levels, scanUrl } from '../../qr/code.ts';
import { terminalLines } from '../../qr/terminal.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { wholeNumber } from '../terminal/options.ts';
import { note, say, sayJson } from '../terminal/print.ts';
import { aboutLink, findLink } from '../terminal/references.ts';
import { addServerCommand, openPlace, type RemoteOptions } from '../terminal/remote.ts';

type QrInput = NonNullable<Parameters<Client['linkQr']>[1]>;

interface QrOptions extends RemoteOptions, Pick<QrInput, 'size' | 'margin' | 'color' | 'background'> {
  readonly out?: string;
  readonly level?: NonNullable<QrInput['level']>;
}

/** Options that only a picture has. */
const ofPictures = ['size', 'margin', 'color', 'background'] as const;

export function addQr(program: Command): void {
  addServerCommand(program, 'qr', 'Draw the QR code of a link, here or into a file', {
    examples: [
      ['linkfold qr spring', 'in the terminal, to be scanned from the screen'],
      ['linkfold qr spring --out spring.svg', 'for print, in any size'],
      ['linkfold qr spring --out spring.png --size 2048 --color 1f4d41', 'as pixels'],
    ],
    notes:
      'The code holds the short URL with ?trigger=qr, so that scans are counted apart from other clicks. A file that exists is replaced.',
  })
    .argument('<link>', aboutLink)
    .option('--out <file>', 'where to write the picture; its name ends in .svg or .png')
    .option('--size <pixels>', 'width and height of the picture, 64 to 4096 (default: 1024)', wholeNumber)
    .option('--margin <modules>', 'quiet zone of the picture, 0 to 16 (default: 4)', wholeNumber)
    .option('--color <hex>', 'colour of the dark modules, such as 1f4d41 (default: 000000)')
    .option('--background <hex>', 'colour of the rest (default: ffffff)')
    .addOption(new Option('--level <level>', 'how much may be lost (default: M)').choices(levels))
    .action(async (given: string, options: QrOptions) => {
      const { out, level = 'M', json } = options;
      const format = out === undefined ? undefined : formatOf(out);
      const pointless = ofPictures.find((name) => options[name] !== undefined);
      if (format === undefined && pointless !== undefined)
        throw new Stop(exits.usage, `--${pointless} is for pictures: name a file with --out.`);
      const place = await openPlace(options);
      const link = await findLink(place, given);
      const facts = { shortCode: link.shortCode, url: scanUrl(link.shortUrl) };
      if (format === undefined || out === undefined) {
        if (json) return sayJson({ ...facts, rows: rowsOf(facts.url, level) });
        for (const line of terminalLines(createCode(facts.url, level), takesColours())) say(line);
        return note(facts.url);
      }
      const { size, margin, color, background } = options;
      const picture = await place.client.linkQr(link.id, { format, size, margin, color, background, level });
      writeFileSync(out, Buffer.from(await picture.arrayBuffer()));
      if (json) sayJson({ ...facts, file: out });
      else note(`The QR code of ${facts.url} is in ${out}.`);
    });
}

function formatOf(file: string): 'svg' | 'png' {
  const ending = extname(file).toLowerCase();
  if (ending === '.svg' || ending === '.png') return ending === '.svg' ? 'svg' : 'png';
  throw new Stop(exits.usage, `${file} ends neither in .svg nor in .png.`);
}

/** For programs: a text of 0 and 1 for each row of modules, 1 for a dark one. */
function rowsOf(url: string, level: NonNullable<QrOptions['level']>): string[] {
  return createCode(url, level).rows.map((row) => row.map(Number).join(''));
}

/** Also with NO_COLOR: the colours are the picture here, since a terminal's own may be either way about. */
function takesColours(): boolean {
  return process.stdout.isTTY === true && process.env.TERM !== 'dumb';
}
