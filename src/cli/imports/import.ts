import type { Command } from 'commander';
import { addGroup } from '../terminal/command.ts';
import { addApply } from './apply.ts';
import { addCheck } from './check.ts';
import { addFrom } from './from.ts';
import { addImports } from './imports.ts';
import { addRead } from './read.ts';
import { addVerify } from './verify.ts';

/** Adds `import`: the commands for importing from other services. */
export function addImport(program: Command): void {
  const group = addGroup(program, 'import', 'Import links and clicks from another service');
  addFrom(group);
  addRead(group);
  addCheck(group);
  addApply(group);
  addImports(group);
  addVerify(group);
}
