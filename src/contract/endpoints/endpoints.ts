import { accountEndpoints } from '../accounts/account.ts';
import { auditEndpoints } from '../accounts/audit.ts';
import { brandingEndpoints } from '../accounts/branding.ts';
import { dashboardEndpoints } from '../accounts/dashboard.ts';
import { deviceEndpoints } from '../accounts/devices.ts';
import { keyEndpoints } from '../accounts/keys.ts';
import { memberEndpoints } from '../accounts/members.ts';
import { operatorEndpoints } from '../accounts/operator.ts';
import { passkeyEndpoints } from '../accounts/passkeys.ts';
import { sessionEndpoints } from '../accounts/sessions.ts';
import { singleSignOnEndpoints } from '../accounts/single-sign-on.ts';
import { webhookEndpoints } from '../accounts/webhooks.ts';
import type { Endpoint } from '../endpoint.ts';
import { importEndpoints } from '../imports/imports.ts';
import { aliasEndpoints } from '../links/aliases.ts';
import { bulkEndpoints } from '../links/bulk.ts';
import { domainEndpoints } from '../links/domains.ts';
import { folderEndpoints } from '../links/folders.ts';
import { historyEndpoints } from '../links/history.ts';
import { linkEndpoints } from '../links/links.ts';
import { qrEndpoints } from '../links/qr.ts';
import { simulationEndpoints } from '../links/simulation.ts';
import { tagEndpoints } from '../links/tags.ts';
import { utmTemplateEndpoints } from '../links/utm-templates.ts';
import { manifestEndpoints } from '../manifests/manifests.ts';
import { clickEndpoints } from '../statistics/clicks.ts';
import { eventEndpoints } from '../statistics/events.ts';
import { exportEndpoints } from '../statistics/exports.ts';
import { missedVisitEndpoints } from '../statistics/missed-visits.ts';
import { shareEndpoints } from '../statistics/shares.ts';
import { statisticsEndpoints } from '../statistics/statistics.ts';

/** Every endpoint under `/api/v1`. */
export const endpoints = {
  ...linkEndpoints,
  ...aliasEndpoints,
  ...historyEndpoints,
  ...bulkEndpoints,
  ...qrEndpoints,
  ...simulationEndpoints,
  ...folderEndpoints,
  ...tagEndpoints,
  ...utmTemplateEndpoints,
  ...domainEndpoints,
  ...importEndpoints,
  ...manifestEndpoints,
  ...statisticsEndpoints,
  ...clickEndpoints,
  ...exportEndpoints,
  ...shareEndpoints,
  ...missedVisitEndpoints,
  ...eventEndpoints,
  ...auditEndpoints,
  ...webhookEndpoints,
  ...accountEndpoints,
  ...sessionEndpoints,
  ...keyEndpoints,
  ...memberEndpoints,
  ...passkeyEndpoints,
  ...deviceEndpoints,
  ...singleSignOnEndpoints,
  ...brandingEndpoints,
  ...dashboardEndpoints,
  ...operatorEndpoints,
} as const;

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;

/** Groups of endpoints, as documentation shows them. */
export interface EndpointGroup {
  readonly tag: string;
  readonly about: string;
  readonly endpoints: Readonly<Record<string, Endpoint>>;
}

export const endpointGroups: readonly EndpointGroup[] = [
  {
    tag: 'Links',
    about: 'Short links: make them, find them, change where they lead, delete them and bring them back.',
    endpoints: {
      ...linkEndpoints,
      ...aliasEndpoints,
      ...historyEndpoints,
      ...bulkEndpoints,
      ...qrEndpoints,
      ...simulationEndpoints,
    },
  },
  {
    tag: 'Exports',
    about: 'Links, statistics and clicks as files of any length, for spreadsheets and programs.',
    endpoints: exportEndpoints,
  },
  {
    tag: 'Folders',
    about: 'Folders group links. They are flat, and deleting one never deletes its links.',
    endpoints: folderEndpoints,
  },
  {
    tag: 'Tags',
    about: 'Tags mark links, many on each. Links that name a tag make it; deleting one never deletes links.',
    endpoints: tagEndpoints,
  },
  {
    tag: 'UTM templates',
    about: 'UTM parameters that go together, by a name, for links to come.',
    endpoints: utmTemplateEndpoints,
  },
  {
    tag: 'Domains',
    about: 'Hosts of the account: add one, prove it by two DNS records, and make links there.',
    endpoints: domainEndpoints,
  },
  {
    tag: 'Imports',
    about:
      'Links and clicks of another service, from a file in the [format of imports](import-format.md): begin an import, send the lines, look how far it is, take it back.',
    endpoints: importEndpoints,
  },
  {
    tag: 'Manifests',
    about:
      'Links as code: a list of links that a program keeps, compared with what is there and made so as a whole ([links-as-code.md](links-as-code.md)).',
    endpoints: manifestEndpoints,
  },
  {
    tag: 'Statistics',
    about:
      'Clicks of the account, of a link, a folder or a tag: in all, over time, and by what they say; and public addresses of them.',
    endpoints: { ...statisticsEndpoints, ...clickEndpoints, ...shareEndpoints, ...missedVisitEndpoints },
  },
  {
    tag: 'Events',
    about: 'What happens to the links of the account, as it happens.',
    endpoints: eventEndpoints,
  },
  {
    tag: 'History of the account',
    about:
      'What was changed in the account, by whom, from what to what; and what happened, for programs that follow.',
    endpoints: auditEndpoints,
  },
  {
    tag: 'Webhooks',
    about:
      'Addresses of yours that are told what happens, by signed requests that are repeated until they arrive ([webhooks.md](webhooks.md)).',
    endpoints: webhookEndpoints,
  },
  {
    tag: 'Account',
    about: 'The key in hand: whose it is, what it may do, and what its account uses.',
    endpoints: accountEndpoints,
  },
  {
    tag: 'Keys',
    about: 'The keys of the account: make them, replace them, revoke them.',
    endpoints: keyEndpoints,
  },
  {
    tag: 'Sessions',
    about:
      'Browsers that act with a key which they do not have: begin a session, look at it, end it. A session is the cookie `__Host-linkfold` and may do what its key may; a change must come from a page of this server (`Sec-Fetch-Site: same-origin`, or an equal `Origin`), its body as `application/json`. On a loopback address without https the cookie is named `linkfold-` and the port.',
    endpoints: sessionEndpoints,
  },
  {
    tag: 'People',
    about:
      'The people of the account, what each may do, and invitations. `owner` may do everything; `admin` everything but what concerns owners; `editor` links, folders, tags and statistics; `viewer` reads. A role is a set of scopes.',
    endpoints: memberEndpoints,
  },
  {
    tag: 'Passkeys',
    about:
      'What people sign in with: added, named and removed by the person who has them, and asked for without a user name.',
    endpoints: passkeyEndpoints,
  },
  {
    tag: 'Single sign-on',
    about:
      'People sign in at the provider of OpenID Connect that the operator has named ([set-ups](single-sign-on.md)): the browser begins here, goes there, and comes back with an answer.',
    endpoints: singleSignOnEndpoints,
  },
  {
    tag: 'Devices',
    about:
      'A program without a browser signs a person in: it shows a code, the person approves it in the dashboard, and the program gets a key that acts as them ([RFC 8628](https://www.rfc-editor.org/rfc/rfc8628)). `linkfold login SERVER` does so.',
    endpoints: deviceEndpoints,
  },
  {
    tag: 'Branding',
    about: 'What visitors see of the owner of a link.',
    endpoints: brandingEndpoints,
  },
  {
    tag: 'Dashboard',
    about: 'What a page for people asks beside the rest.',
    endpoints: dashboardEndpoints,
  },
  {
    tag: 'Operators',
    about:
      'All accounts of the installation, for the people whom `linkfold operators add` has named; [people.md](people.md#operators) says what they may do.',
    endpoints: operatorEndpoints,
  },
];
