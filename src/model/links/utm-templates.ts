import type { Context } from '../context.ts';
import { Failure, type Problem, problem } from '../failures.ts';
import type { Utm } from './destinations/utm.ts';
import { folderNameProblem } from './folders.ts';
import { storedJson } from './link-inputs.ts';
import { tagName } from './tags.ts';

/** A named set of UTM parameters. Template names are unique in the account, ignoring case. */
export interface UtmTemplate {
  readonly id: string;
  readonly name: string;
  /** UTM parameters as a JSON string, as in links. */
  readonly utm: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The fields to change. Omitted fields stay unchanged. */
export interface UtmTemplateChange {
  readonly name?: string | undefined;
  readonly utm?: string | undefined;
}

export const maxUtmTemplates = 100;
export const longestTemplateName = 50;

interface UtmTemplateInput {
  readonly name?: string | undefined;
  readonly utm?: Utm | undefined;
}

/** Returns the validation errors in a template that schema validation does not catch. */
export function utmTemplateProblems({ name, utm }: UtmTemplateInput): Problem[] {
  const isBlank = name === undefined ? undefined : folderNameProblem(name);
  const isEmpty = utm !== undefined && storedJson(utm) === null;
  const message = 'utm must have at least one of source, medium, campaign, term and content.';
  return [
    ...(isBlank === undefined ? [] : [isBlank]),
    ...(isEmpty ? [problem('utm', 'too_short', message)] : []),
  ];
}

export function utmTemplateNotFound(): Failure {
  return new Failure('UTM_TEMPLATE_NOT_FOUND');
}

export function utmTemplateNameTaken(name: string): Failure {
  return new Failure(
    'UTM_TEMPLATE_NAME_TAKEN',
    `The account already has a UTM template "${name}". Choose another name, or update that template.`,
  );
}

/** @throws Failure UTM_TEMPLATE_NAME_TAKEN, LIMIT_REACHED */
export function createUtmTemplate(
  context: Context,
  accountId: number,
  { name, utm }: { readonly name: string; readonly utm: Utm },
): Promise<UtmTemplate> {
  const { id, createdAt } = context.stamp();
  const template = { name: tagName(name), utm: storedJson(utm) ?? '{}', createdAt, updatedAt: createdAt };
  return context.writes.createUtmTemplate(accountId, { id, ...template });
}

/** @throws Failure UTM_TEMPLATE_NOT_FOUND, UTM_TEMPLATE_NAME_TAKEN */
export async function updateUtmTemplate(
  context: Context,
  accountId: number,
  id: string,
  { name, utm }: UtmTemplateInput,
): Promise<UtmTemplate> {
  const change = {
    name: name === undefined ? undefined : tagName(name),
    utm: utm === undefined ? undefined : (storedJson(utm) ?? '{}'),
  };
  return context.writes.updateUtmTemplate(accountId, id, change, context.now());
}
