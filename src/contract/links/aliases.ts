import * as z from 'zod';
import { domainNotActive } from '../../model/domains/domains.ts';
import { limitReached } from '../../model/failures.ts';
import { maxAliases } from '../../model/links/aliases.ts';
import { longestExactCode } from '../../model/links/codes/codes.ts';
import { created, endpoint, ok } from '../endpoint.ts';
import { codeText, domainHost, timestamp, uuid } from '../fields.ts';
import { shortUrl } from './link-answers.ts';
import { exampleLinkId } from './link-examples.ts';
import { codeDomain, idInPath } from './links.ts';

const alias = z
  .object({ code: z.string().describe('The alias, exactly as given.'), shortUrl })
  .meta({ id: 'Alias', description: 'An additional code of a link.' });
const recoded = z
  .object({
    id: uuid('Identifier of the link.'),
    shortCode: z.string().describe('The new code.'),
    shortUrl,
    updatedAt: timestamp('When the link was last changed.'),
  })
  .meta({ id: 'RecodedLink', description: 'A link with its new code.' });
const customCode = codeText(longestExactCode).describe('The new code, with the same rules as for new links.');
const domain = domainHost('The code’s host. Default: the link’s domain.').nullish();
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
  changeCode: endpoint('PATCH', '/links/:id/code', {
    params: { id: idInPath },
    access: { key: 'links:write', bound: true },
    summary: 'Change the code of a link',
    description:
      'Sets a new code. The previous code becomes an alias, so existing short URLs keep working; clicks are kept. You can also make one of the link’s aliases its code.',
    body: { customCode, domain },
    tagged: true,
    matches: true,
    success: ok(
      'The code was changed.',
      { data: recoded },
      {
        data: {
          id: exampleLinkId,
          shortCode: 'spring',
          shortUrl: 'http://127.0.0.1:3000/spring',
          updatedAt: '2027-03-02T10:00:00.000Z',
        },
      },
    ),
    exampleRequest: { body: { customCode: 'spring' } },
    failures: [...failures, 'REVISION_MISMATCH'],
  }),
  addAlias: endpoint('POST', '/links/:id/aliases', {
    params: { id: idInPath },
    access: { key: 'links:write', bound: true },
    summary: 'Add an alias to a link',
    description: `Visits to an alias count as visits to the link, with the same destination, rules and statistics. A link can have at most ${maxAliases} aliases.`,
    body: { customCode, domain },
    success: {
      ...created(
        'The alias was added. `Location` is the URL to remove it.',
        { data: alias },
        { data: exampleAlias },
      ),
      existing: { status: 200, description: 'The link already has this alias.' },
    },
    exampleRequest: { body: { customCode: 'mailing' } },
    failures,
  }),
  listAliases: endpoint('GET', '/links/:id/aliases', {
    params: { id: idInPath },
    access: { key: 'links:read', bound: true },
    summary: 'List aliases of a link',
    description: 'Returns the additional codes of the link, in alphabetical order.',
    success: ok('The aliases.', { data: z.array(alias) }, { data: [exampleAlias] }),
    failures: ['LINK_NOT_FOUND'],
  }),
  removeAlias: endpoint('DELETE', '/aliases/:code', {
    params: {
      code: z.string().meta({ description: 'The alias.', minLength: 1, example: exampleAlias.code }),
    },
    query: { domain: codeDomain },
    access: { key: 'links:write', bound: true },
    summary: 'Remove an alias',
    description:
      'The alias stops working immediately. The code stays reserved for the account, which can use it again; no other account can.',
    success: { status: 204, description: 'The alias was removed.' },
    failures: ['ALIAS_NOT_FOUND', 'DOMAIN_NOT_FOUND', domainNotActive('go.example.com')],
  }),
} as const;
