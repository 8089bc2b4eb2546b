import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { reasonOf } from '../../runtime/files/file-faults.ts';
import { addCommand } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { describeApi } from '../terminal/local.ts';

export function addOpenApi(program: Command): void {
  addCommand(program, 'openapi', 'Print the OpenAPI 3.1 document of the API', {
    examples: [
      ['linkfold openapi > openapi.json', 'for generators and viewers'],
      ['linkfold openapi --out openapi.json', 'the same, to a file'],
    ],
    refused: 'the file cannot be written',
  })
    .option('--out <file>', 'write to this file')
    .action(async ({ out }: { out?: string }) => {
      const text = await describeApi();
      if (out === undefined) process.stdout.write(text);
      else writeWhole(out, text);
    });
}

function writeWhole(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new Stop(exits.refused, `Could not write ${path}: ${reasonOf(error)}.`);
  }
}
