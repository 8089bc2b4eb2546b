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

/** All endpoints under `/api/v1`. */
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

/** A group of endpoints in the documentation. */
export interface EndpointGroup {
  readonly tag: string;
  readonly about: string;
  readonly endpoints: Readonly<Record<string, Endpoint>>;
}

export const endpointGroups: readonly EndpointGroup[] = [
  {
    tag: 'Links',
    about: 'Create, find, update, delete and restore short links.',
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
    about: 'Links, statistics and clicks as files of any size, for spreadsheets and programs.',
    endpoints: exportEndpoints,
  },
  {
    tag: 'Folders',
    about: 'Folders group links. They cannot be nested, and deleting a folder never deletes its links.',
    endpoints: folderEndpoints,
  },
  {
    tag: 'Tags',
    about:
      'Tags label links; a link can have several. Adding a new tag to a link creates the tag. Deleting a tag never deletes links.',
    endpoints: tagEndpoints,
  },
  {
    tag: 'UTM templates',
    about: 'Named sets of UTM parameters for new links.',
    endpoints: utmTemplateEndpoints,
  },
  {
    tag: 'Domains',
    about: 'Custom domains: add a domain, verify it with two DNS records, and create links on it.',
    endpoints: domainEndpoints,
  },
  {
    tag: 'Imports',
    about:
      'Import another service’s links and clicks from a file in the [import format](import-format.md): start an import, send the lines, check the progress, or undo it.',
    endpoints: importEndpoints,
  },
  {
    tag: 'Manifests',
    about:
      'Links as code: compare a list of links that you maintain in a file with the existing links, and apply it in one transaction ([links-as-code.md](links-as-code.md)).',
    endpoints: manifestEndpoints,
  },
  {
    tag: 'Statistics',
    about:
      'Clicks for the account, a link, a folder or a tag: totals, time series and breakdowns; and public URLs to share them.',
    endpoints: { ...statisticsEndpoints, ...clickEndpoints, ...shareEndpoints, ...missedVisitEndpoints },
  },
  {
    tag: 'Events',
    about: 'Clicks and link changes as a live stream.',
    endpoints: eventEndpoints,
  },
  {
    tag: 'Audit log',
    about:
      'Changes in the account, each with its author and the previous and new values; and an event log for integrations.',
    endpoints: auditEndpoints,
  },
  {
    tag: 'Webhooks',
    about:
      'Endpoints that receive signed HTTP requests when your links change, with retries ([webhooks.md](webhooks.md)).',
    endpoints: webhookEndpoints,
  },
  {
    tag: 'Account',
    about: 'The account and permissions of the current API key, and the account’s usage and settings.',
    endpoints: accountEndpoints,
  },
  {
    tag: 'Keys',
    about: 'Create, rotate and revoke API keys.',
    endpoints: keyEndpoints,
  },
  {
    tag: 'Sessions',
    about:
      'Browser sessions that act with a key without storing it. A session uses the cookie `__Host-linkfold` and has the permissions of its key. Changes must come from a page of this server (`Sec-Fetch-Site: same-origin`, or an equal `Origin`) with an `application/json` body. On a loopback address without https, the cookie is named `linkfold-` followed by the port.',
    endpoints: sessionEndpoints,
  },
  {
    tag: 'People',
    about:
      'Members of the account, their roles, and invitations. `owner` can do everything; `admin` everything except managing owners; `editor` can manage links, folders, tags and statistics; `viewer` can only read. A role is a set of scopes.',
    endpoints: memberEndpoints,
  },
  {
    tag: 'Passkeys',
    about: 'Members add, rename and remove their own passkeys, and sign in with them without a username.',
    endpoints: passkeyEndpoints,
  },
  {
    tag: 'Single sign-on',
    about:
      'Members sign in through the OpenID Connect provider that the operator has configured ([setup guides](single-sign-on.md)). The browser starts here, goes to the provider, and returns with a response.',
    endpoints: singleSignOnEndpoints,
  },
  {
    tag: 'Devices',
    about:
      'Signs a member in to a program without a browser: the program shows a code, the member approves it in the dashboard, and the program gets a key that acts as them ([RFC 8628](https://www.rfc-editor.org/rfc/rfc8628)). `linkfold login SERVER` does this.',
    endpoints: deviceEndpoints,
  },
  {
    tag: 'Branding',
    about: 'Branding that visitors to your links see.',
    endpoints: brandingEndpoints,
  },
  {
    tag: 'Dashboard',
    about: 'Additional endpoints for the dashboard.',
    endpoints: dashboardEndpoints,
  },
  {
    tag: 'Operators',
    about:
      'All accounts in the installation, for operators added with `linkfold operators add`. See [team.md](team.md#operators) for what operators can do.',
    endpoints: operatorEndpoints,
  },
];
