import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Line, readLine } from '../format.ts';
import { linesOf, noCounts } from '../reading/read.ts';
import { foundInTable } from '../reading/tables.ts';
import type { Choices } from '../service.ts';
import { services } from './services.ts';
import { mappingOf, tableRow } from './table.ts';

type Some = Readonly<Record<string, unknown>>;

interface Export {
  readonly name: string;
  /** Name of the source on the command line. */
  readonly source: string;
  readonly table?: 'links' | 'clicks';
  readonly file: string;
  readonly column?: Readonly<Record<string, string>>;
  readonly domain?: string;
  /** Expected lines, without empty fields. */
  readonly lines: readonly Some[];
  readonly unused?: readonly string[];
}

async function read({ source, table = 'links', file, column = {}, domain }: Export): Promise<Line[]> {
  const service = services[source];
  const parse = service?.[table];
  const choices: Choices = {
    ...{ zone: 'UTC', domain: domain ?? null, token: '', withClicks: true, workspace: undefined },
    ...{ readAt: '2026-06-01T00:00:00.000Z', since: undefined, redirectStatus: service?.redirectStatus },
  };
  const chunks = (async function* () {
    yield Buffer.from(file);
  })();
  const parserOf = (columns: readonly string[]) => parse ?? tableRow(mappingOf(columns, column));
  const found = foundInTable({ name: table, chunks, choices, parserOf });
  const lines: Line[] = [];
  for await (const text of linesOf({ source, instance: null, choices, found, readLine }, noCounts()))
    lines.push(JSON.parse(text));
  return lines.slice(1, -1);
}

const link = (key: string, url: string, more: Some = {}): Some => {
  const [domain, ...code] = key.split('/');
  return { type: 'link', key, domain, code: code.join('/'), url, ...more };
};
const counter = (key: string, clicks: number): Some => ({ type: 'counter', key, clicks });
const os = (value: string, url: string): Some => ({ when: [{ fact: 'os', values: [value] }], to: { url } });
const desktop = (url: string): Some => ({ when: [{ fact: 'device', values: ['desktop'] }], to: { url } });
const createdAt = '2024-05-06T07:08:09.000Z';
const hash = '$2b$12$rsEqk9GUWn2emX9X1Zh2DOTnfrvpaikjEp4JMV7zzHUP6urQt77OC';

const trottoRow = (shortpath: string | null, destination_url: string | null, more: Some = {}): Some => ({
  ...{ id: '7', created: '2024-05-06 07:08:09', modified: '2024-06-01 00:00:00.123456', owner: 'a@e.com' },
  ...{ namespace: 'go', shortpath, destination_url, type: null, visits_count: 0, mine: true, ...more },
});

const exports: readonly Export[] = [
  {
    name: 'Bitly: the printed code is the custom one, the generated one stays an alias',
    source: 'bitly',
    file: [
      'Link,Custom Link,Date created,Title,Destination URL,Engagements,Status,Tags',
      'https://bit.ly/3abC,https://bit.ly/Spring,2024-05-06T07:08:09+0000,Spring sale,https://e.com/1,12,active,"a,b"',
      'https://bit.ly/4deF,,2024-05-06T07:08:09+0000,,https://e.com/2,0,deleted,',
      'https://bit.ly/5ghI,https://go.brand.example/x,2024-05-06T07:08:09+0000,,https://e.com/3,1,archived,',
    ].join('\n'),
    lines: [
      link('bit.ly/Spring', 'https://e.com/1', {
        ...{ title: 'Spring sale', tags: ['a', 'b'], createdAt, aliases: ['3abC'], redirectStatus: 301 },
      }),
      counter('bit.ly/Spring', 12),
      link('bit.ly/4deF', 'https://e.com/2', { createdAt, disabled: true, redirectStatus: 301 }),
      counter('bit.ly/4deF', 0),
      link('go.brand.example/x', 'https://e.com/3', {
        ...{ createdAt, archived: true, redirectStatus: 301, lost: ['codes on other hosts'] },
      }),
      counter('go.brand.example/x', 1),
    ],
  },
  {
    name: 'Rebrandly: inactive links',
    source: 'rebrandly',
    file: [
      'id,title,slashtag,destination,shortUrl,domainName,createdAt,clicks,status,forwardParameters,favourite',
      'r1,T,sale,https://e.com/1,r.example/sale,r.example,2024-05-06T07:08:09.000Z,42,active,true,false',
      'r2,,old,https://e.com/2,r.example/old,r.example,2024-05-06T07:08:09.000Z,0,inactive,false,true',
    ].join('\n'),
    lines: [
      link('r.example/sale', 'https://e.com/1', { title: 'T', createdAt, forwardQuery: 'override' }),
      counter('r.example/sale', 42),
      link('r.example/old', 'https://e.com/2', { createdAt, disabled: true }),
      counter('r.example/old', 0),
    ],
    unused: ['id', 'favourite'],
  },
  {
    name: 'Short.io: device targets, redirect types and cloaking',
    source: 'short-io',
    file: [
      'originalURL;path;shortURL;title;iphoneURL;androidURL;redirectType;cloaking;expiresAt;expiredURL;clicksLimit;password;tags;createdAt;clicks',
      'https://e.com/1;Sale;https://s.example/Sale;T;https://e.com/ios;https://e.com/a;307;false;2030-01-01T00:00:00Z;https://e.com/over;100;p4ssword;x,y;2024-05-06T07:08:09.000Z;61',
      'https://e.com/2;two;https://s.example/two;;;;302;true;;;;********;;2024-05-06T07:08:09.000Z;5',
    ].join('\n'),
    lines: [
      link('s.example/Sale', 'https://e.com/1', {
        ...{ title: 'T', createdAt, redirectStatus: 307, tags: ['x', 'y'], maxClicks: 100, clicksUsed: 61 },
        ...{ expiresAt: '2030-01-01T00:00:00.000Z', expiredUrl: 'https://e.com/over', password: 'p4ssword' },
        rules: [os('ios', 'https://e.com/ios'), os('android', 'https://e.com/a')],
      }),
      counter('s.example/Sale', 61),
      link('s.example/two', 'https://e.com/2', {
        ...{ createdAt, redirectStatus: 302, disabled: true, lost: ['password', 'cloaking'] },
      }),
      counter('s.example/two', 5),
    ],
  },
  {
    name: 'Pretty Links: redirect types, of which some are not HTTP redirects',
    source: 'csv',
    domain: 'p.example',
    file: [
      'id,url,slug,name,redirect_type,nofollow,track_me,param_forwarding,link_status,created_at,clicks',
      '1,https://e.com/1,go/sale,Sale,301,1,1,1,enabled,2024-05-06 07:08:09,7',
      '2,https://e.com/2,old,,cloak,0,1,0,disabled,2024-05-06 07:08:09,0',
    ].join('\n'),
    lines: [
      link('p.example/go/sale', 'https://e.com/1', {
        ...{ title: 'Sale', redirectStatus: 301, createdAt, forwardQuery: 'override' },
      }),
      counter('p.example/go/sale', 7),
      link('p.example/old', 'https://e.com/2', { createdAt, disabled: true, lost: ['redirect type'] }),
      counter('p.example/old', 0),
    ],
    unused: ['id', 'nofollow', 'track_me'],
  },
  {
    name: 'T2M',
    source: 'csv',
    file: [
      'Short URL,Long URL,Link Title,Total Hits,Created On,Status',
      'https://t2m.example/a1,https://e.com/1,Sale,9,2024-05-06 07:08:09,Active',
      'https://t2m.example/a2,https://e.com/2,,0,2024-05-06 07:08:09,Inactive',
    ].join('\n'),
    lines: [
      link('t2m.example/a1', 'https://e.com/1', { title: 'Sale', createdAt }),
      counter('t2m.example/a1', 9),
      link('t2m.example/a2', 'https://e.com/2', { createdAt, disabled: true }),
      counter('t2m.example/a2', 0),
    ],
  },
  {
    name: 'BL.INK',
    source: 'csv',
    file: [
      'Domain,Alias,Short Link,URL,Notes,Redirect Type,Clicks,Created,Status',
      'b.example,sale,https://b.example/sale,https://e.com/1,N,307,3,2024-05-06 07:08:09,active',
      'b.example,old,https://b.example/old,https://e.com/2,,301 (permanent),0,2024-05-06 07:08:09,deleted',
    ].join('\n'),
    lines: [
      link('b.example/sale', 'https://e.com/1', { description: 'N', redirectStatus: 307, createdAt }),
      counter('b.example/sale', 3),
      link('b.example/old', 'https://e.com/2', { redirectStatus: 301, createdAt, disabled: true }),
      counter('b.example/old', 0),
    ],
  },
  {
    name: 'Cuttly',
    source: 'csv',
    file: [
      'Date,Shortened link,Full link,Title,Clicks,Tags',
      '2024-05-06 07:08:09,https://cutt.example/x,https://e.com/1,T,4,a',
    ].join('\n'),
    lines: [
      link('cutt.example/x', 'https://e.com/1', { title: 'T', tags: ['a'], createdAt }),
      counter('cutt.example/x', 4),
    ],
  },
  {
    name: 'Linkly: the full URL is the short one, and enabled is a state',
    source: 'csv',
    file: [
      'id,name,full_url,url,enabled,clicks_total,utm_source,utm_campaign,cloaking',
      '1,Sale,https://l.example/abc,https://e.com/1,true,5,mail,spring,false',
      '2,,https://l.example/def,https://e.com/2,false,5,,,true',
    ].join('\n'),
    lines: [
      link('l.example/abc', 'https://e.com/1', {
        title: 'Sale',
        utm: { source: 'mail', campaign: 'spring' },
      }),
      counter('l.example/abc', 5),
      link('l.example/def', 'https://e.com/2', { disabled: true, lost: ['cloaking'] }),
      counter('l.example/def', 5),
    ],
    unused: ['id'],
  },
  {
    name: 'TinyURL: deleted and archived flags',
    source: 'csv',
    file: [
      'domain,alias,tiny_url,url,deleted,archived,hits,tags,created_at,expires_at',
      'tinyurl.example,sale,https://tinyurl.example/sale,https://e.com/1,false,true,8,"[""a"",""b""]",2024-05-06T07:08:09+00:00,',
      'tinyurl.example,old,https://tinyurl.example/old,https://e.com/2,true,false,0,[],2024-05-06T07:08:09+00:00,2025-01-01',
    ].join('\n'),
    lines: [
      link('tinyurl.example/sale', 'https://e.com/1', { tags: ['a', 'b'], createdAt, archived: true }),
      counter('tinyurl.example/sale', 8),
      link('tinyurl.example/old', 'https://e.com/2', {
        ...{ createdAt, expiresAt: '2025-01-01T00:00:00.000Z', disabled: true },
      }),
      counter('tinyurl.example/old', 0),
    ],
  },
  {
    name: 'Dub: archived links go on redirecting',
    source: 'dub',
    file: [
      'Short link,Destination URL,Clicks,Created at,Archived,Tags,Password',
      'https://d.example/sale,https://e.com/1,3,2024-05-06T07:08:09.000Z,true,a,Yes',
    ].join('\n'),
    lines: [
      link('d.example/sale', 'https://e.com/1', {
        ...{ tags: ['a'], createdAt, archived: true, disabled: true, lost: ['password'] },
      }),
      counter('d.example/sale', 3),
    ],
  },
  {
    name: 'Firebase Dynamic Links: the link parameter is the destination, app parameters are rules',
    source: 'csv',
    file: [
      'Link name,Short Dynamic Link,Long Dynamic Link',
      'App,https://x.page.link/m9Mm,https://x.page.link/?link=https%3A%2F%2Fe.com%2F1%3Fa%3Db&apn=com.e&isi=12&ibi=com.e.ios&utm_source=mail&efr=1',
      'Web,https://x.page.link/w,https://x.page.link/?link=https://e.com/2&afl=https://e.com/a&ifl=https://e.com/i&ofl=https://e.com/o&st=Title',
      'Own,https://go.e.com/l/o,https://go.e.com/l/?link=https://e.com/3&apn=com.e',
      'Plain,https://x.page.link/p,https://e.com/?link=https://other.example/',
    ].join('\n'),
    lines: [
      link('x.page.link/m9Mm', 'https://e.com/1?a=b', {
        ...{ title: 'App', utm: { source: 'mail' }, lost: ['app'] },
        rules: [
          os('ios', 'https://apps.apple.com/app/id12'),
          os('android', 'https://play.google.com/store/apps/details?id=com.e'),
        ],
      }),
      link('x.page.link/w', 'https://e.com/2', {
        ...{ title: 'Web', lost: ['card'] },
        rules: [os('ios', 'https://e.com/i'), os('android', 'https://e.com/a'), desktop('https://e.com/o')],
      }),
      link('go.e.com/l/o', 'https://e.com/3', {
        ...{ title: 'Own', lost: ['app'] },
        rules: [os('android', 'https://play.google.com/store/apps/details?id=com.e')],
      }),
      link('x.page.link/p', 'https://e.com/?link=https://other.example/', { title: 'Plain' }),
    ],
  },
  {
    name: 'Shlink: links of its web client',
    source: 'shlink',
    file: [
      'createdAt,domain,longUrl,shortCode,shortUrl,tags,title,visits',
      '2024-05-06T07:08:09+00:00,,https://e.com/1,a/b,https://s.example/a/b,x|y,T,3',
    ].join('\n'),
    lines: [
      link('s.example/a/b', 'https://e.com/1', { title: 'T', tags: ['x', 'y'], createdAt }),
      counter('s.example/a/b', 3),
    ],
  },
  {
    name: 'Shlink: visits of its command line',
    source: 'shlink',
    table: 'clicks',
    file: [
      'Date,"Potential bot","User agent",Referer,Country,Region,City,"Visited URL","Redirect URL",Type',
      '2024-06-01T10:00:00+00:00,,UA,https://r.example,Spain,Unknown,Madrid,https://s.example/a/b?x=1,https://e.com/1,valid_short_url',
      '2024-06-01T11:00:00+00:00,"Potential bot",Bot,,Unknown,Unknown,Unknown,https://s.example/a/b,https://e.com/1,valid_short_url',
    ].join('\n'),
    lines: [
      {
        ...{ type: 'visit', key: 's.example/a/b', at: '2024-06-01T10:00:00.000Z', userAgent: 'UA' },
        ...{ referrer: 'https://r.example', country: 'ES' },
      },
      {
        ...{
          type: 'visit',
          key: 's.example/a/b',
          at: '2024-06-01T11:00:00.000Z',
          userAgent: 'Bot',
          bot: true,
        },
        referrer: '',
      },
    ],
    unused: ['City', 'Redirect URL', 'Type'],
  },
  {
    name: 'Kutt: passwords of its database',
    source: 'kutt',
    file: [
      'id,address,description,target,banned,password,expire_in,visit_count,created_at,domain',
      `1,open,,https://e.com/1,0,,,3,2024-05-06 07:08:09,k.example`,
      `2,shut,,https://e.com/2,0,${hash},,0,2024-05-06 07:08:09,k.example`,
      `3,marked,,https://e.com/3,1,true,,0,2024-05-06 07:08:09,k.example`,
    ].join('\n'),
    lines: [
      link('k.example/open', 'https://e.com/1', { key: '1', createdAt }),
      counter('1', 3),
      link('k.example/shut', 'https://e.com/2', { key: '2', createdAt, passwordHash: hash }),
      counter('2', 0),
      link('k.example/marked', 'https://e.com/3', {
        ...{ key: '3', createdAt, disabled: true, lost: ['password'] },
      }),
      counter('3', 0),
    ],
  },
  {
    name: 'YOURLS and Polr redirect with 301',
    source: 'yourls',
    domain: 'y.example',
    file: 'keyword,url,title,timestamp,clicks\nsale,https://e.com/1,T,2024-05-06 07:08:09,2',
    lines: [
      link('y.example/sale', 'https://e.com/1', {
        key: 'y.example/sale',
        title: 'T',
        createdAt,
        redirectStatus: 301,
      }),
      counter('y.example/sale', 2),
    ],
  },
  {
    name: 'Golink: Go templates become placeholders, or are reported',
    source: 'golink',
    domain: 'go.example',
    file: [
      '{"Short":"Foo-Bar","Long":"https://e.com/1","Created":"2024-05-06T07:08:09Z","LastEdit":"2024-06-01T00:00:00Z","Owner":"a@e.com"}',
      '{"Short":"search","Long":"https://e.com/{{with .Path}}?q={{QueryEscape .}}{{end}}","Created":"2024-05-06T07:08:09Z","LastEdit":"2024-06-01T00:00:00Z","Owner":"a@e.com"}',
      '{"Short":"log","Long":"https://e.com/{x}/{{.Now.Format \\"2006-01-02\\"}}/{{.Path}}?u={{.User}}","Created":"2024-05-06T07:08:09Z","LastEdit":"2024-06-01T00:00:00Z","Owner":"a@e.com"}',
      '{"Short":"odd","Long":"https://e.com/{{TrimPrefix .Path \\"x\\"}}","Created":"2024-05-06T07:08:09Z","LastEdit":"2024-06-01T00:00:00Z","Owner":"a@e.com"}',
    ].join('\n'),
    lines: [
      link('go.example/Foo-Bar', 'https://e.com/1', {
        ...{ key: 'go.example/foobar', createdAt, forwardQuery: 'add', aliases: ['FooBar'] },
        appendPath: true,
      }),
      link('go.example/search', 'https://e.com/{path??q={path}}', {
        ...{ key: 'go.example/search', createdAt, forwardQuery: 'add', template: true },
      }),
      link('go.example/log', 'https://e.com/{{x}}/{date:yyyy-MM-dd}/{path|}?u={user|}', {
        ...{ key: 'go.example/log', createdAt, forwardQuery: 'add', template: true },
      }),
      {
        type: 'problem',
        where: 'links line 4',
        reason: 'the destination is a Go template that Linkfold has no placeholders for',
      },
    ],
    unused: ['LastEdit', 'Owner'],
  },
  {
    name: 'Golink: its statistics',
    source: 'golink',
    table: 'clicks',
    file: 'ID,Created,Clicks\nfoobar,1717236000,3\ncaf%C3%A9,1717236060,1',
    lines: [
      { type: 'visit', key: '/foobar', at: '2024-06-01T10:00:00.000Z', clicks: 3, referrer: '' },
      { type: 'visit', key: '/café', at: '2024-06-01T10:01:00.000Z', referrer: '' },
    ],
  },
  {
    name: 'Trotto: %s becomes a placeholder, or is reported',
    source: 'trotto',
    domain: 'go.example',
    file: JSON.stringify([
      trottoRow('wiki', 'https://e.com/{x}', { visits_count: 7 }),
      trottoRow('jira/%s', 'https://e.com/%E2/{x}/%s'),
      trottoRow('diff/%s/%s', 'https://e.com/%s...%s?w=1', { namespace: 'eng' }),
      trottoRow('docs/setup', 'https://e.com/docs', { namespace: null }),
      trottoRow('team/%s', 'https://%s.e.com'),
      trottoRow('a/%s/b', 'https://e.com/%s'),
      trottoRow('two/%s/%s', 'https://e.com/%s'),
      trottoRow('none', null),
      trottoRow(null, 'https://e.com/none'),
    ]),
    lines: [
      link('go.example/wiki', 'https://e.com/{x}', { createdAt }),
      counter('go.example/wiki', 7),
      link('go.example/jira', 'https://e.com/%E2/{{x}}/{1}', {
        ...{ key: 'go.example/jira/%s', createdAt, template: true },
      }),
      counter('go.example/jira/%s', 0),
      link('go.example/eng/diff', 'https://e.com/{1}...{2}?w=1', {
        ...{ key: 'go.example/eng/diff/%s/%s', createdAt, template: true },
      }),
      counter('go.example/eng/diff/%s/%s', 0),
      link('go.example/docs/setup', 'https://e.com/docs', { createdAt }),
      counter('go.example/docs/setup', 0),
      link('go.example/team', 'https://{1}.e.com', {
        ...{ key: 'go.example/team/%s', createdAt, template: true },
      }),
      counter('go.example/team/%s', 0),
      ...[
        'the name has a %s that is not a whole segment at the end',
        'the name has 2 placeholders, but the destination has 1',
        'destination_url is missing',
        'shortpath is missing',
      ].map((reason, at) => ({ type: 'problem', where: `links row ${at + 6} 7`, reason })),
    ],
    unused: ['id', 'modified', 'owner', 'type', 'mine'],
  },
  {
    name: 'Umami: links of its database',
    source: 'umami',
    domain: 'u.example',
    file: [
      'link_id,slug,url,name,created_at,deleted_at',
      '0c7e,sale,https://e.com/1,Sale,2024-05-06 07:08:09+00,',
      '0c7f,old,https://e.com/2,Old,2024-05-06 07:08:09+00,2025-01-01 00:00:00+00',
    ].join('\n'),
    lines: [
      link('u.example/sale', 'https://e.com/1', {
        ...{ key: '0c7e', title: 'Sale', createdAt, aliases: ['q/sale'], redirectStatus: 307 },
      }),
      link('u.example/old', 'https://e.com/2', {
        ...{ key: '0c7f', title: 'Old', createdAt, aliases: ['q/old'], redirectStatus: 307, disabled: true },
      }),
    ],
  },
  {
    name: 'Umami: clicks of its database',
    source: 'umami',
    table: 'clicks',
    file: [
      'link_id,created_at,referrer_domain,browser,os,device,country,region,language',
      '0c7e,2024-06-01 10:00:00+00,r.example,crios,iOS,mobile,DE,DE-BY,de-DE',
      '0c7e,2024-06-01 11:00:00+00,,edge-chromium,Windows 10,laptop,US,US-CA,en',
    ].join('\n'),
    lines: [
      {
        ...{ type: 'visit', key: '0c7e', at: '2024-06-01T10:00:00.000Z', referrer: 'r.example' },
        ...{ country: 'DE', region: 'BY', browser: 'chrome', os: 'ios', device: 'mobile', language: 'de-DE' },
      },
      {
        ...{ type: 'visit', key: '0c7e', at: '2024-06-01T11:00:00.000Z', referrer: '', country: 'US' },
        ...{ region: 'CA', browser: 'edge', os: 'windows', device: 'desktop', language: 'en' },
      },
    ],
  },
  {
    name: 'a service with other words: bare codes, hosts with a scheme, two columns about passwords',
    source: 'csv',
    file: [
      'Custom Link,Link,Redirect to,Domain,Password,Password protected,Paused,Deleted at,HTTP status code,All-time clicks',
      'spring,https://o.example/1,https://e.com/1,https://o.example/,,No,No,,308,5',
      'b,https://o.example/2,https://e.com/2,https://o.example/,,Yes,Yes,,302,0',
      ',https://o.example/3,https://e.com/3,,,,No,2025-01-01,302,0',
    ].join('\n'),
    lines: [
      link('o.example/spring', 'https://e.com/1', { aliases: ['1'], redirectStatus: 308 }),
      counter('o.example/spring', 5),
      link('o.example/b', 'https://e.com/2', {
        ...{ aliases: ['2'], redirectStatus: 302, disabled: true, lost: ['password'] },
      }),
      counter('o.example/b', 0),
      link('o.example/3', 'https://e.com/3', { redirectStatus: 302, disabled: true }),
      counter('o.example/3', 0),
    ],
  },
  {
    name: 'a German table: columns that the user names, and columns that nothing uses',
    source: 'csv',
    file: [
      'Kurzlink;Ziel;Titel;Zustand;Kennwort;Besitzer',
      'https://k.example/a;https://e.com/1;T;aktiv;nein;Eva',
      'https://k.example/b;https://e.com/2;;deaktiviert;;Eva',
      'https://k.example/c;https://e.com/3;;gelöscht;ja;Eva',
    ].join('\n'),
    column: { short: 'Kurzlink', url: 'Ziel', title: 'Titel', state: 'Zustand', password: 'Kennwort' },
    lines: [
      link('k.example/a', 'https://e.com/1', { title: 'T' }),
      link('k.example/b', 'https://e.com/2', { disabled: true }),
      link('k.example/c', 'https://e.com/3', { disabled: true, lost: ['password'] }),
    ],
    unused: ['Besitzer'],
  },
];

for (const one of exports)
  test(`export of ${one.name}`, async () => {
    const lines = await read(one);
    const unused = lines.flatMap((line) => (line.type === 'unused' ? line.columns : []));
    assert.deepEqual(
      lines.filter(({ type }) => type !== 'unused'),
      one.lines.map((line) => JSON.parse(JSON.stringify(line))),
    );
    assert.deepEqual(unused, one.unused ?? []);
  });

test('keeps links with any kind of password protected', async () => {
  const cases: readonly (readonly [string, Some])[] = [
    ['', {}],
    ['No', {}],
    ['false', {}],
    ['0', {}],
    ['hunter22', { password: 'hunter22' }],
    [hash, { passwordHash: hash }],
    ...[
      'Yes',
      'true',
      '1',
      '********',
      '••••',
      'protected',
      '[redacted]',
      'Password protected',
      'abc',
      'x'.repeat(129),
    ].map((cell) => [cell, { disabled: true, lost: ['password'] }] as const),
    ...[
      'pbkdf2$sha256$100000$a$b',
      '$argon2id$v=19$m=1,t=1,p=1$a$b',
      '{SSHA}x',
      '5f4dcc3b5aa765d61d8327deb882cf99',
    ].map((cell) => [cell, { disabled: true, lost: ['password'] }] as const),
  ];
  const file = ['url,code,password', ...cases.map(([cell], at) => `https://e.com/,c${at},"${cell}"`)].join(
    '\n',
  );
  const lines = await read({ name: '', source: 'csv', domain: 's.example', file, lines: [] });
  assert.deepEqual(
    lines,
    cases.map(([, more], at) => link(`s.example/c${at}`, 'https://e.com/', more)),
  );
});
