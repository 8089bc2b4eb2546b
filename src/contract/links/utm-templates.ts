import * as z from 'zod';
import { limitReached } from '../../model/failures.ts';
import { longestTemplateName, maxUtmTemplates } from '../../model/links/utm-templates.ts';
import { created, endpoint, ok } from '../endpoint.ts';
import { nameText, timestamp, uuid } from '../fields.ts';
import { utmFields } from './utm.ts';

const exampleTemplateId = '0198c5a0-4444-7b3a-9c41-3f0f6f2f8a10';
const idInPath = uuid('Identifier of the template.').meta({ example: exampleTemplateId });
const template = z
  .object({
    id: uuid('Identifier of the template.'),
    name: z.string().describe('Unique in the account, case-insensitive.'),
    utm: utmFields,
    createdAt: timestamp('When the template was created.'),
    updatedAt: timestamp('When the template was last updated.'),
  })
  .meta({ id: 'UtmTemplate', description: 'A named set of UTM parameters.' });
const body = { data: template };
const fields = {
  name: nameText(1, longestTemplateName).describe(
    '1–50 characters, at least one of them visible; trimmed. Unique in the account, case-insensitive.',
  ),
  utm: utmFields.meta({ description: 'At least one parameter.', minProperties: 1 }),
};
const example = {
  id: exampleTemplateId,
  name: 'Newsletter',
  utm: { source: 'newsletter', medium: 'email' },
  createdAt: '2027-03-01T08:00:00.000Z',
  updatedAt: '2027-03-01T08:00:00.000Z',
};

export const utmTemplateEndpoints = {
  listUtmTemplates: endpoint('GET', '/utm-templates', {
    access: { key: 'links:read', bound: true },
    summary: 'List UTM templates',
    description: 'Returns the account’s UTM templates, sorted by name.',
    success: ok('The templates.', { data: z.array(template) }, { data: [example] }),
  }),
  createUtmTemplate: endpoint('POST', '/utm-templates', {
    access: { key: 'links:write' },
    summary: 'Create a UTM template',
    description: `Saves UTM parameters under a name for use in new links. An account can have up to ${maxUtmTemplates}.`,
    body: fields,
    success: created('The template was created.', body, { data: example }),
    exampleRequest: { body: { name: example.name, utm: example.utm } },
    failures: ['UTM_TEMPLATE_NAME_TAKEN', limitReached('utmTemplates', maxUtmTemplates)],
  }),
  updateUtmTemplate: endpoint('PATCH', '/utm-templates/:id', {
    params: { id: idInPath },
    access: { key: 'links:write' },
    summary: 'Update a UTM template',
    description:
      'Omitted fields are unchanged. Links that were created with the template keep their parameters.',
    body: { name: fields.name.optional(), utm: fields.utm.optional() },
    success: ok('The updated template.', body, {
      data: { ...example, utm: { source: 'letter' }, updatedAt: '2027-03-02T10:00:00.000Z' },
    }),
    exampleRequest: { body: { utm: { source: 'letter' } } },
    failures: ['UTM_TEMPLATE_NOT_FOUND', 'UTM_TEMPLATE_NAME_TAKEN'],
  }),
  deleteUtmTemplate: endpoint('DELETE', '/utm-templates/:id', {
    params: { id: idInPath },
    access: { key: 'links:write' },
    summary: 'Delete a UTM template',
    description: 'Links that were created with the template keep their parameters.',
    success: { status: 204, description: 'The template was deleted.' },
    failures: ['UTM_TEMPLATE_NOT_FOUND'],
  }),
} as const;
