import { count } from '../texts/format.ts';

export const en = {
  domains: {
    title: 'Domains',
    about:
      'Hosts whose short links are yours, such as go.your-brand.com. Two records where the name was bought prove it and lead visitors here.',
    add: 'Add domain',
    none: 'No domain of your own yet',
    noneMore: (host: string) =>
      `Links are made on ${host}. With a name of your own they say who they come from. Setting it up takes some minutes.`,
    name: 'Domain',
    status: 'Status',
    links: 'Links',
    linkCount: (n: number) => count(n, 'link', 'links'),
    isDefault: 'default',
    shared: 'shared by all accounts of this server',
    failed: 'The domains could not be read',
    none404: 'There is no such domain',
    back: 'Domains',
    lacks: 'This session cannot manage domains. Its key lacks the right “manage domains”.',
    makeDefault: 'Make default',
    madeDefault: (host: string) => `New links are made on ${host} unless another domain is chosen`,
    statuses: {
      pending: 'Waiting for DNS',
      active: 'Active',
      incomplete: 'A record is missing',
      failing: 'Records are gone',
    },
    statusMore: {
      pending: 'Short links on it do not answer yet. It turns active as soon as the first record is found.',
      active: 'Short links on it answer.',
      activeMissing: 'It is proven. Visitors arrive once the second record is found, too.',
      failing:
        'A record has been gone for three days. Short links still answer those who arrive. Set it again, so that all do.',
    },
    certificate: 'Certificate',
    certificateUntil: (when: string) => `Certificate until ${when}`,
    certificateWaits: 'No certificate yet',
    certificateFails: 'Not issued or renewed yet. Linkfold tries again automatically.',
    nowActive: (host: string) => `${host} is active`,

    host: 'Host',
    hostHelp:
      'A part before a name you own is best, such as go.example.com: the website on example.com stays as it is.',
    hostWhole: (host: string) =>
      `This is a whole domain. Its website would lead here instead: go.${host} leaves it as it is.`,
    hostWrong: 'A host has two parts or more, such as go.example.com, without port, path and asterisk.',
    addHost: 'Add',

    records: 'DNS records',
    recordsAbout:
      'Set both where the name was bought or where its DNS is kept, under “DNS” or “Zone”. Leave the lifetime (TTL) as it is.',
    purposes: {
      ownership: '1 · proves that the name is yours',
      traffic: '2 · leads visitors here',
    },
    type: 'Type',
    recordName: 'Name',
    value: 'Value',
    copyName: (type: string) => `Copy the name of the ${type} record`,
    copyValue: (type: string) => `Copy the value of the ${type} record`,
    states: {
      waiting: 'Not looked at yet',
      found: 'Found',
      missing: 'Not there',
      wrong: 'Another value is there',
      silent: 'No answer',
    },
    foundInstead: 'Found instead',
    advice: {
      set: 'New records are mostly seen within minutes, rarely within a day. If it was set already: many providers add the domain to the name by themselves, so the name is typed without it there.',
      wholeDomain:
        'Few providers allow a CNAME for a whole domain. ALIAS, ANAME or “flattened CNAME” do the same; else set A and AAAA records with the addresses of the value.',
      quoted: 'The quotation marks are part of the value there. Set it without them.',
      otherProof: 'This is the proof of another account, or of before. Put the value above in its place.',
      otherHost:
        'Visitors are led elsewhere. Put the value above in its place; the record with the other goes.',
      addresses:
        'There are addresses instead of the name, and this server does not answer there. At Cloudflare one click on the orange cloud makes it grey, “DNS only”; it may stay orange where the record behind it has the value above. Elsewhere remove the A and AAAA records of this name, and switch off forwarding or parking.',
      silent:
        'The name servers of the domain did not answer. That passes mostly; else the provider has to look at them.',
    },
    checkNow: 'Check now',
    checked: (when: string) => `Checked ${when}.`,
    watching: 'This page looks again by itself and can be closed: the server goes on looking for 30 days.',
    watchingHourly: 'This page looks again by itself; the server does so every hour.',
    watchingDaily: 'The server looks every day.',
    allFound: 'Both records are there.',
    provenByOperator:
      'An operator of this server has proven this domain. Only the record for visitors is looked at.',
    tryIt: 'Make a link on it',

    settings: 'Settings',
    rootUrl: 'Who opens the bare host goes to',
    rootHelp: 'Without one there is a plain page.',
    unknownUrl: 'Who asks for a code that is not there goes to',
    unknownHelp: '{code} stands for the code. Without a URL, visitors see a page that says so.',
    expiredUrl: 'Who comes to a link that is over goes to',
    expiredHelp: 'When neither the link nor its folder says where.',
    codes: 'Capital letters in codes',
    codeModes: { folded: 'Make no difference', exact: 'Make a difference' },
    codesHelp: {
      folded: '/Sale and /sale are one link. Right for links that people type.',
      exact:
        '/Sale and /sale are two links, and codes may have nearly any shape. Right for links that come from another service.',
    },
    codesFixed: 'This can be chosen only while no code was ever made on the domain.',
    indexed: 'Search engines may follow its short links',
    indexedHelp: 'Off, its robots.txt asks them not to.',
    apps: 'Apps that open its links',
    appsHelp:
      'For makers of apps: what the domain answers at two addresses below /.well-known/, as JSON. Without them links open in the browser.',
    apple: 'apple-app-site-association',
    appleHelp: 'For Apple’s systems: an object.',
    android: 'assetlinks.json',
    androidHelp: 'For Android: a list.',
    noJson: 'This is not JSON. Check commas, quotation marks and brackets.',
    fileRefused: (why: string) => `The server refused it: ${why}`,
    saved: (host: string) => `Settings of ${host} saved`,

    delete: 'Delete domain',
    deleteTitle: (host: string) => `Delete ${host}?`,
    deleteHelp:
      'Short links on it answer no more, at once. Codes that were made there stay yours, should the domain come back to this account; for anybody else it begins empty. The two DNS records can be removed afterwards.',
    deleteInUse: (n: number) =>
      `${count(n, 'link stands', 'links stand')} on it. Move them to the bin first, or give them codes on another domain.`,
    showLinks: 'Show its links',
    deleted: (host: string) => `${host} is deleted`,
    errors: {
      DOMAIN_TAKEN: 'This host is taken: it is a domain already, of this account or another.',
      DOMAIN_IN_USE: 'Links or codes stand on this domain.',
      DOMAIN_NOT_ACTIVE: 'This domain is not proven yet.',
      LIMIT_REACHED: 'This account has as many domains as it may have.',
    } as Readonly<Record<string, string>>,
    takenBy:
      'Another account of this server has proven this host first. Whoever owns the name can have it deleted there.',
  },
};
