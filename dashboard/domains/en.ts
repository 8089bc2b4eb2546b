import { count } from '../texts/format.ts';

export const en = {
  domains: {
    title: 'Domains',
    about:
      'Use your own domain for short links, such as go.your-brand.com. Add two DNS records to verify ownership and route traffic.',
    add: 'Add domain',
    none: 'No custom domains yet',
    noneMore: (host: string) =>
      `Your links use ${host}. Visitors trust links on your own domain more. Setup takes a few minutes.`,
    name: 'Domain',
    status: 'Status',
    links: 'Links',
    linkCount: (n: number) => count(n, 'link', 'links'),
    isDefault: 'default',
    shared: 'shared by all accounts on this server',
    failed: 'Could not load the domains',
    none404: 'Domain not found',
    back: 'Domains',
    lacks: 'You don’t have permission to manage domains.',
    makeDefault: 'Set as default',
    madeDefault: (host: string) => `${host} is now the default domain for new links`,
    statuses: {
      pending: 'Pending DNS',
      active: 'Active',
      incomplete: 'DNS record missing',
      failing: 'DNS records missing',
    },
    statusMore: {
      pending:
        'Short links on this domain do not work yet. It becomes active when the first DNS record is found.',
      active: 'Short links on this domain work.',
      activeMissing: 'Ownership verified. Links work once the second DNS record is found.',
      failing:
        'A DNS record has been missing for three days. Some visitors may no longer reach this domain. Add the record again to fix it.',
    },
    certificate: 'Certificate',
    certificateUntil: (when: string) => `Certificate valid until ${when}`,
    certificateWaits: 'No certificate yet',
    certificateFails: 'The certificate could not be issued or renewed. Linkfold retries automatically.',
    nowActive: (host: string) => `${host} is active`,

    host: 'Domain',
    hostHelp:
      'We recommend a subdomain, such as go.example.com. Your website on example.com is not affected.',
    hostWhole: (host: string) =>
      `This is an apex domain. A website on it would stop working. Use a subdomain such as go.${host} to keep it.`,
    hostWrong: 'Enter a domain such as go.example.com, without a port, path or wildcard.',
    addHost: 'Add domain',

    records: 'DNS records',
    recordsAbout: 'Add both records at your DNS provider. Keep the default TTL.',
    purposes: {
      ownership: '1 · Verifies ownership',
      traffic: '2 · Routes traffic to this server',
    },
    type: 'Type',
    recordName: 'Name',
    value: 'Value',
    copyName: (type: string) => `Copy name of the ${type} record`,
    copyValue: (type: string) => `Copy value of the ${type} record`,
    states: {
      waiting: 'Not checked yet',
      found: 'Found',
      missing: 'Not found',
      wrong: 'Wrong value',
      silent: 'No response',
    },
    foundInstead: 'Found instead',
    advice: {
      'this-machine':
        'BASE_URL is an address that only this machine can reach, so DNS cannot route visitors here. Set it to this server’s public URL, or ask the operator to.',
      'private-network':
        'This is a private address that visitors on the internet cannot reach. To make it public, set BASE_URL to this server’s public URL, or ask the operator to.',
      set: 'New records usually appear within minutes, but can take up to a day. If you already added this record, check its name: many providers append the domain automatically. In that case, enter the name without the domain.',
      wholeDomain:
        'Most providers do not allow a CNAME record on an apex domain. Use ALIAS, ANAME or CNAME flattening, or add A and AAAA records with the server’s IP addresses.',
      quoted: 'The value includes the quotation marks. Enter it without them.',
      otherProof: 'This value belongs to another account or is outdated. Replace it with the value above.',
      otherHost: 'The record points to another server. Replace it with the value above.',
      addresses:
        'The name resolves to IP addresses where this server does not respond. On Cloudflare, set the record to “DNS only” (gray cloud), or keep the proxy on if the record has the value above. Elsewhere, remove the A and AAAA records for this name, and turn off forwarding or parking.',
      silent: 'The domain’s name servers did not respond. Try again later, or contact your DNS provider.',
    },
    checkNow: 'Check now',
    checked: (when: string) => `Last checked ${when}.`,
    watching: 'This page updates automatically. You can close it: Linkfold keeps checking for 30 days.',
    watchingHourly: 'This page updates automatically. Linkfold checks every hour.',
    watchingDaily: 'Linkfold checks every day.',
    allFound: 'Both records found.',
    provenByOperator:
      'An operator verified this domain. Linkfold only checks the record that routes traffic.',
    tryIt: 'Create link',

    settings: 'Settings',
    rootUrl: 'Redirect for /',
    rootHelp: 'Redirects visitors who open the domain without a code. If not set, they see a simple page.',
    unknownUrl: 'Redirect for unknown codes',
    unknownHelp:
      'Redirects visits to unknown codes. {code} is replaced with the code. If not set, visitors see an error page.',
    expiredUrl: 'Redirect for expired links',
    expiredHelp:
      'Visitors to expired links are redirected here, unless the link or its folder has its own URL.',
    codes: 'Case sensitivity of codes',
    codeModes: { folded: 'Case-insensitive', exact: 'Case-sensitive' },
    codesHelp: {
      folded: '/Sale and /sale are the same link. Best for links that people type.',
      exact:
        '/Sale and /sale are different links, and codes can contain almost any character. Best for links imported from another service.',
    },
    codesFixed: 'You can only change this before the first code is created on the domain.',
    indexed: 'Allow search engines to crawl short links',
    indexedHelp: 'When off, robots.txt asks search engines not to crawl them.',
    golinks: 'Golinks',
    golinksHelp:
      '/on-call and /oncall are the same link, and members can create links on the page for unknown codes.',
    golinksSame: (one: string, other: string) =>
      `The codes ${one} and ${other} would be the same. Change or delete one of them first.`,
    golinksExact: 'Golinks require case-insensitive codes.',
    apps: 'App links',
    appsHelp:
      'For app developers: the JSON files that this domain serves under /.well-known/ so that its links open in your app.',
    apple: 'apple-app-site-association',
    appleHelp: 'For iOS and macOS: a JSON object.',
    android: 'assetlinks.json',
    androidHelp: 'For Android: a JSON array.',
    noJson: 'Invalid JSON. Check commas, quotation marks and brackets.',
    fileRefused: (why: string) => `The server rejected this file: ${why}`,
    saved: (host: string) => `Settings for ${host} saved`,

    delete: 'Delete domain',
    deleteTitle: (host: string) => `Delete ${host}?`,
    deleteHelp:
      'Its short links stop working immediately. The codes stay reserved for this account in case you add the domain again. You can remove the two DNS records afterwards.',
    deleteInUse: (n: number) =>
      `${count(n, 'link uses', 'links use')} this domain. Move ${n === 1 ? 'it' : 'them'} to the bin or to another domain first.`,
    showLinks: 'Show links',
    deleted: (host: string) => `${host} deleted`,
    errors: {
      DOMAIN_TAKEN: 'This domain is already in use by this or another account.',
      DOMAIN_IN_USE: 'Links or codes still use this domain.',
      DOMAIN_NOT_ACTIVE: 'This domain is not verified yet.',
      LIMIT_REACHED: 'This account has reached its domain limit.',
    } as Readonly<Record<string, string>>,
    takenBy:
      'Another account on this server has already verified this domain. If you own it, ask an owner of that account or the operator to delete it there.',
  },

  golink: {
    title: (name: string) => `${name} does not exist yet`,
    about: 'Create it, or choose a similar link if you mistyped it.',
    create: 'Create link',
    near: 'Similar links',
    notYours: 'This domain is not in your account',
  },
};
