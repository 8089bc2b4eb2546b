import * as z from 'zod';
import { domainNotActive } from '../../model/domains/domains.ts';
import { limitReached } from '../../model/failures.ts';
import { maxAliases } from '../../model/links/aliases.ts';
import { longestExactCode } from '../../model/links/codes/codes.ts';
import { endpoint } from '../endpoint.ts';
import { codeText, domainHost, timestamp, uuid } from '../fields.ts';
import { exampleLinkId } from './link-examples.ts';
import { codeDomain, idInPath, success } from './links.ts';

const shortUrl = z.string().meta({ description: 'What visitors open.', format: 'uri' });
const alias = z
  .object({ code: z.string().describe('The alias as it was given.'), shortUrl })
  .meta({ id: 'Alias', description: 'A code that leads to a link beside its own.' });
const recoded = z
  .object({
    id: uuid('Identifier of the link.'),
    shortCode: z.string().describe('The new code.'),
    shortUrl,
    updatedAt: timestamp('When the link was last changed.'),
  })
  .meta({ id: 'RecodedLink', description: 'A link with its new code.' });
const customCode = codeText(longestExactCode).describe('By the rules of a new link.');
const domain = domainHost('Host of the domain of the code; that of the link when it is left out.').nullish();
const exampleAlias = { code: 'mailing', shortUrl: 'http://127.0.0.1:3000/mailing' };

const failures = [
  'INVALID_CUSTOM_CODE',
  'LINK_NOT_FOUND',
  'DOMAIN_NOT_FOUND',
  domainNotActive('go.example.com'),
  limitReached('aliases', maxAliases),
  'CUSTOM_CODE_TAKEN',
  'CUSTOM_CODE_RESERVED',
] as const;

export const aliasEndpoints = {
  changeCode: endpoint({
    method: 'PATCH',
    path: '/links/:id/code',
    params: { id: idInPath },
    access: { key: 'links:write', bound: true },
    priority: 'write',
    summary: 'Give a link another code',
    description:
      'The code that the link had goes on leading to it, as an alias; the clicks stay. One of its aliases can become its code.',
    body: { customCode, domain },
    tagged: true,
    matches: true,
    success: {
      status: 200,
      description: 'The link has the code.',
      body: success(recoded),
      example: {
        success: true,
        data: {
          id: exampleLinkId,
          shortCode: 'spring',
          shortUrl: 'http://127.0.0.1:3000/spring',
          updatedAt: '2027-03-02T10:00:00.000Z',
        },
      },
    },
    exampleRequest: { body: { customCode: 'spring' } },
    failures: [...failures, 'REVISION_MISMATCH'],
  }),
  addAlias: endpoint({
    method: 'POST',
    path: '/links/:id/aliases',
    params: { id: idInPath },
    access: { key: 'links:write', bound: true },
    priority: 'write',
    summary: 'Let one more code lead to a link',
    description: `A visit by an alias is one of the link: same destination, rules and figures. A link has at most ${maxAliases} aliases.`,
    body: { customCode, domain },
    success: {
      status: 201,
      description: 'The alias leads to the link. `Location` carries where it is removed.',
      existing: { status: 200, description: 'It led to the link already.' },
      body: success(alias),
      example: { success: true, data: exampleAlias },
    },
    exampleRequest: { body: { customCode: 'mailing' } },
    failures,
  }),
  listAliases: endpoint({
    method: 'GET',
    path: '/links/:id/aliases',
    params: { id: idInPath },
    access: { key: 'links:read', bound: true },
    priority: 'read',
    summary: 'List the aliases of a link',
    description: 'The codes that lead to a link beside its own, in the order of their letters.',
    success: {
      status: 200,
      description: 'The aliases.',
      body: success(z.array(alias)),
      example: { success: true, data: [exampleAlias] },
    },
    failures: ['LINK_NOT_FOUND'],
  }),
  removeAlias: endpoint({
    method: 'DELETE',
    path: '/aliases/:code',
    params: {
      code: z.string().meta({ description: 'The alias.', minLength: 1, example: exampleAlias.code }),
    },
    query: { domain: codeDomain },
    access: { key: 'links:write', bound: true },
    priority: 'write',
    summary: 'Remove an alias',
    description:
      'It stops leading anywhere at once. The code stays with the account, which may use it again; no other account ever gets it.',
    success: { status: 204, description: 'The alias is removed.' },
    failures: ['ALIAS_NOT_FOUND', 'DOMAIN_NOT_FOUND', domainNotActive('go.example.com')],
  }),
} as const;
