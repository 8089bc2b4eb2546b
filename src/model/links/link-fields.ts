import type { LinkField } from './field-kinds.ts';
import { longestLanguageTag } from './language-tags.ts';

/**
 * Every field that a row of `links` holds. Record types, columns, the row's reader, what updates may change, what
 * `include` may add, validation, the columns of files and the options of commands all come from this table.
 */
export const linkFields = {
  id: { column: 'id', kind: 'id' },
  code: { column: 'code', kind: 'word' },
  destination: { column: 'destination', kind: 'word', editable: true, movesTarget: true },
  space: { column: 'space', kind: 'word' },
  title: {
    column: 'title',
    kind: 'prose',
    nullable: true,
    editable: true,
    includable: true,
    about: 'Null when there is none.',
    input: {
      about: 'At most 255 characters.',
      max: 255,
      option: 'title',
      value: 'text',
      help: 'title',
    },
  },
  description: {
    column: 'description',
    kind: 'prose',
    nullable: true,
    editable: true,
    includable: true,
    about: 'Null when there is none.',
    input: {
      about: 'At most 2,000 characters; line breaks and tabs are fine.',
      max: 2_000,
      multiline: true,
      option: 'description',
      value: 'text',
      help: 'description',
    },
  },
  expiresAt: {
    column: 'expires_at',
    kind: 'time',
    nullable: true,
    editable: true,
    includable: true,
    movesTarget: true,
    about: 'When the link stops working; null for never.',
    input: {
      about:
        'ISO 8601 date, or date and time; UTC unless it says otherwise; null for no expiration. Honored on Starter and higher keys.',
      option: 'expires',
      value: 'time',
      help: 'expiration, ISO 8601',
    },
  },
  folderId: {
    column: 'folder_id',
    kind: 'id',
    nullable: true,
    includable: true,
    about: 'The folder that the link is in; null for none.',
    input: {
      onlyNew: true,
      about: 'Folder to put the link into.',
      option: 'folder',
      value: 'folder',
      help: 'folder to put it into, by name or id',
    },
  },
  createdAt: { column: 'created_at', kind: 'time' },
  updatedAt: {
    column: 'updated_at',
    kind: 'time',
    includable: true,
    about: 'When the link was last changed.',
  },
  externalId: {
    column: 'external_id',
    kind: 'word',
    nullable: true,
    editable: true,
    includable: true,
    about: 'What another system calls the link; null when there is none.',
    input: {
      about:
        'What another system calls the link: 1 to 255 printable ASCII characters without spaces, neither "." nor "..". One live link of the account may have it.',
      max: 255,
      option: 'external-id',
      value: 'id',
      help: 'name that another system has for the link',
    },
  },
  startsAt: {
    column: 'starts_at',
    kind: 'time',
    nullable: true,
    editable: true,
    includable: true,
    movesTarget: true,
    about: 'When the link begins to work; null when it works at once.',
    input: {
      about: 'When the link begins to work, written as `expiresAt` is. Before that visitors get 404.',
      option: 'starts',
      value: 'time',
      help: 'when it begins to work, ISO 8601',
    },
  },
  disabled: {
    column: 'disabled',
    kind: 'flag',
    editable: true,
    includable: true,
    movesTarget: true,
    about: 'Whether its owner has switched the link off.',
    input: {
      about: 'Switches the link off without deleting it: visitors get 410 until it is switched on again.',
      option: 'disabled',
      value: 'boolean',
      help: 'switched off: true or false',
    },
  },
  expiredUrl: {
    column: 'expired_url',
    kind: 'url',
    nullable: true,
    editable: true,
    includable: true,
    movesTarget: true,
    about: 'Where visitors go when the link has expired or is switched off; null for a page that says so.',
    input: {
      about:
        'Where visitors go when the link has expired or is switched off, instead of a page that says so. Such visits are no clicks.',
      option: 'expired-url',
      value: 'url',
      help: 'where visitors go when it does not work any more',
    },
  },
  redirectStatus: {
    column: 'redirect_status',
    kind: 'number',
    nullable: true,
    editable: true,
    includable: true,
    movesTarget: true,
    about: 'The status of the redirect; null for 302.',
    input: {
      about:
        'The status of the redirect, 302 unless it is given. With 301 and 308 search engines take the destination for the address of the page. Every answer says `no-store`, so that browsers ask each time and every visit is counted; a client that remembers the redirect all the same comes no more, and follows no change.',
      choices: [301, 302, 307, 308],
      option: 'redirect-status',
      value: 'status',
      help: 'status of the redirect: 301, 302, 307 or 308',
    },
  },
  forwardQuery: {
    column: 'forward_query',
    kind: 'choice',
    nullable: true,
    editable: true,
    includable: true,
    movesTarget: true,
    about: 'What happens to the query of the short URL; null when it is dropped.',
    input: {
      about:
        'What happens to the query of the short URL: `add` gives the destination the parameters that it lacks, `override` also replaces those that it has, `none` drops them, as it is when nothing is given. Nothing but the query of the destination changes.',
      choices: ['none', 'add', 'override'],
      option: 'forward-query',
      value: 'mode',
      help: 'what happens to the query of the short URL: none, add or override',
    },
  },
  rules: {
    column: 'rules',
    kind: 'json',
    nullable: true,
    editable: true,
    includable: true,
    movesTarget: true,
    about:
      'Where some visitors go instead: the first rule wins whose conditions all hold. Null when there are none.',
    input: {
      about:
        'Where some visitors go instead of the destination; at most 20, of which the first wins whose conditions all hold.',
      option: 'rules',
      value: 'json',
      help: 'rules as JSON, or @FILE',
    },
  },
  maxClicks: {
    column: 'max_clicks',
    kind: 'number',
    nullable: true,
    editable: true,
    includable: true,
    movesTarget: true,
    about: 'How often people may follow the link; null for no limit.',
    input: {
      about:
        'How often people may follow the link, 1 to 1,000,000,000; then visitors get 410 until the limit is raised. Bots and previews use none up. With 1 the link shows a page with a button, and pressing it is what counts.',
      between: [1, 1_000_000_000],
      option: 'max-clicks',
      value: 'number',
      help: 'how often people may follow it',
    },
  },
  usedClicks: { column: 'used_clicks', kind: 'count' },
  utm: {
    column: 'utm',
    kind: 'json',
    nullable: true,
    editable: true,
    includable: true,
    movesTarget: true,
    about: 'The UTM parameters that visitors take to the destination; null for none.',
    input: {
      about:
        'UTM parameters that visitors take to the destination and to the targets of rules, where they replace those of the same name. All are set at once: those that are not named are none.',
      option: 'utm',
      value: 'json',
      help: 'UTM parameters as JSON: {"source":"mail"}',
    },
  },
  archived: {
    column: 'archived',
    kind: 'flag',
    editable: true,
    includable: true,
    about: 'Whether its owner has put the link away. It works as before.',
    input: {
      about:
        'Puts the link away: it works as before, and the dashboard does not list it unless it is asked to.',
      option: 'archived',
      value: 'boolean',
      help: 'put away: true or false',
    },
  },
  unwatched: {
    column: 'unwatched',
    kind: 'flag',
    editable: true,
    includable: true,
    about: 'Whether its destination is not looked at now and then.',
    input: {
      about:
        'Leaves the destination alone: it is not looked at now and then, to see whether it is still there.',
      option: 'unwatched',
      value: 'boolean',
      help: 'destination not looked at: true or false',
    },
  },
  password: {
    column: 'password_hash',
    kind: 'secret',
    nullable: true,
    editable: true,
    movesTarget: true,
    input: {
      about:
        'What visitors have to give before they learn anything of the link, 4 to 128 characters. Only a hash is kept; no answer has it.',
      min: 4,
      max: 128,
      option: 'password-file',
      value: 'path',
      help: 'file with the password that visitors have to give; - is stdin',
    },
  },
  card: {
    column: 'card',
    kind: 'json',
    nullable: true,
    editable: true,
    includable: true,
    movesTarget: true,
    about: 'What chats and networks show of the link; null for what its destination says of itself.',
    input: {
      about:
        'Title, description and image that chats and networks show of the link, instead of what its destination says of itself. All are set at once: those that are not named are none.',
      option: 'card',
      value: 'json',
      help: 'title, description and image for chats and networks as JSON, or @FILE',
    },
  },
  language: {
    column: 'language',
    kind: 'word',
    nullable: true,
    editable: true,
    includable: true,
    movesTarget: true,
    about: 'The language of the destination; null when it is unknown.',
    input: {
      about:
        'The language of the destination, as a BCP 47 tag such as `de` or `pt-BR`. Rules on the language leave visitors there who prefer it.',
      max: longestLanguageTag,
      option: 'language',
      value: 'tag',
      help: 'language of the destination, such as de or pt-BR',
    },
  },
  managedBy: {
    column: 'managed_by',
    kind: 'word',
    nullable: true,
    editable: true,
    includable: true,
    about: 'The manifest that keeps the link, by its name; null for none.',
  },
  revision: {
    column: 'revision',
    kind: 'count',
    includable: true,
    about:
      'How many changes the link has had, its creation included. Clicks leave it as it is, and so does what is done to its folder or its tags.',
  },
} as const satisfies Readonly<Record<string, LinkField>>;

/** What clients may say of a link that is made, and no link keeps; `POST /shorten` and the rows of bulk take it. */
export const draftInputs = [
  { name: 'domain', kind: 'word', option: 'domain', value: 'host', help: 'domain to make it on' },
  { name: 'prefix', kind: 'word', option: 'prefix', value: 'text', help: 'what a drawn code begins with' },
  {
    name: 'length',
    kind: 'number',
    option: 'length',
    value: 'number',
    help: 'how many symbols are drawn, 6 to 32; default 8',
  },
  {
    name: 'ifExists',
    kind: 'choice',
    option: 'if-exists',
    value: 'mode',
    help: 'when there is a link with this destination: reuse it, fail, or make a new one, which is the default',
  },
] as const;
