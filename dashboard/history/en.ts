import type { PlainName } from '../fields/plain.ts';

/** Names of changed fields. A link's field without a name does not compile; other records' fields may have one. */
type FieldNames = Readonly<Record<LinkField, string>> & Readonly<Record<string, string>>;
type LinkField =
  | Exclude<PlainName, 'customCode' | 'prefix' | 'length' | 'ifExists'>
  | 'destinationUrl'
  | 'shortCode'
  | 'aliases'
  | 'hasPassword'
  | 'managedBy';

export const en = {
  history: {
    title: 'History',
    about: 'Every change to this link, newest first. You can restore any earlier version.',
    none: 'No changes recorded.',
    failed: 'Could not load the history',
    older: 'Show older changes',
    now: 'Current version',
    by: (who: string) => `by ${who}`,
    restore: 'Restore this version',
    restoreNow: 'Restore',
    preview: 'Restoring this version changes:',
    noDifference: 'The link already matches this version.',
    done: 'Version restored',
    undone: 'Restore undone',
    kept: (fields: string) => `Version restored. Not changed: ${fields}`,
    actions: { 'rolled-back': 'Earlier version restored' } as Readonly<Record<string, string>>,
    actors: {
      person: 'a member',
      key: 'an API key',
      session: 'a browser',
      operator: 'the operator',
      background: 'Linkfold',
    } as Readonly<Record<string, string>>,
    fields: {
      destinationUrl: 'Destination',
      shortCode: 'Code',
      domain: 'Domain',
      title: 'Title',
      description: 'Description',
      expiresAt: 'Expires',
      folderId: 'Folder',
      tags: 'Tags',
      externalId: 'External ID',
      startsAt: 'Starts',
      disabled: 'Disabled',
      expiredUrl: 'Redirect after expiry',
      redirectStatus: 'Redirect type',
      forwardQuery: 'Query parameters',
      rules: 'Rules',
      maxClicks: 'Click limit',
      utm: 'UTM',
      archived: 'Archived',
      language: 'Language',
      password: 'Password',
      template: 'Placeholders',
      appendPath: 'Append path',
      timezone: 'Time zone',
      publicQr: 'Public QR code',
      checkDestination: 'Destination monitored',
      hasPassword: 'Password protected',
      card: 'Social card',
      aliases: 'Other codes',
      managedBy: 'Managed by',
      agent: 'Browser',
      keyId: 'Key ID',
      linkId: 'Link ID',
    } satisfies FieldNames as FieldNames,
    yes: 'yes',
    no: 'no',
    nothing: 'none',
    another: 'new value',
    goneFolder: 'deleted folder',
    ruleCount: (n: number) => (n === 1 ? '1 rule' : `${n} rules`),
  },

  conflict: {
    title: (who: string) => `This link was changed ${who} while you were editing. Your changes are not lost.`,
    meanwhile: 'by someone else',
    field: 'Field',
    yours: 'Your version',
    theirs: 'Current version',
    about: 'The highlighted values will be saved. Fields that only one of you changed keep that change.',
    save: 'Save my version',
    drop: 'Discard my changes',
  },
};
