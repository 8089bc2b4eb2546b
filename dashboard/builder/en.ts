import { count, number } from '../texts/format.ts';

const days = (n: number): string => count(n, 'day', 'days');

export const en = {
  builder: {
    title: 'New link',
    editTitle: (code: string) => `Edit /${code}`,
    draft: 'Draft kept',
    commands: 'Copy as command',
    curl: 'Copy as curl',
    cli: 'Copy as CLI',
    destination: 'Destination',
    destinationMissing: 'A link needs a destination.',
    codeShort: 'A code has at least 3 characters.',
    name: 'Title',
    nameHint: 'What it is, in your own words',
    utm: 'UTM parameters',
    utmTemplates: 'Templates',
    utmSave: 'Keep as a template',
    utmNone: 'Fill in at least one field first.',
    utmKept: (name: string) => `Template “${name}” kept`,
    utmDrop: 'Remove this template',
    utmDropped: (name: string) => `Template “${name}” removed`,
    utmUsed: (n: number) => (n === 1 ? 'used once' : `used ${number(n)} times`),
    utmLower: 'Written in lower case, as in your other links.',
    utmFields: { source: 'Source', medium: 'Medium', campaign: 'Campaign', term: 'Term', content: 'Content' },
    utmHints: {
      source: 'newsletter',
      medium: 'email',
      campaign: 'winter_2026',
      term: 'for example: bike+bag',
      content: 'for example: header-image',
    },
    expiryFixed: (n: number) => `Links of this plan expire after ${days(n)}.`,
    qrNone: 'No QR code yet',
    qrFacts: 'QR code, level M',
    another: 'Make another after this',
    create: 'Create link',
    saveChanges: 'Save changes',
    arriveAt: 'Visitors arrive at',
    made: (link: string) => `Copied ${link}`,
    madeUncopied: (link: string) => `Made ${link}`,
    removed: 'The new link is in the bin',
    optionsLabel: 'More of this link',
    preview: 'Preview',
  },

  making: {
    part: 'Code options',
    prefix: 'The made code begins with',
    length: 'Characters made',
    lengthHelp: '6 to 32; 8 where nothing is given.',
    isGiven: 'The code is given above, so none is made.',
    only: 'no second link',
    isOnly: 'Only if no other link leads to this destination',
  },

  limits: {
    part: 'Start and end',
    maxClicks: 'How often people may follow it',
    maxClicksHint: 'No limit',
    maxClicksHelp: 'Afterwards visitors meet a page that says so. Bots and previews use none up.',
    onceHelp:
      'Visitors see a page with a button; pressing it uses the link up. The page does not show the destination.',
    maxClicksWrong: 'A whole number from 1 to 1,000,000,000, or nothing for no limit.',
    times: (n: number) => (n === 1 ? 'once' : `${number(n)} times`),
    startsAt: 'Begins to work',
    startsHelp: 'Visitors before this moment meet a page that says so.',
    startsWrong: 'Choose a moment before the expiry.',
    expiredUrlHelp:
      'Of a link that has expired, is used up or switched off. Without an address they meet a page that says so.',
    disabled: 'Switched off',
    disabledHelp: 'Visitors meet a page that says so. Nothing is lost, and it can be switched on again.',
    from: (date: string) => `from ${date}`,
    until: (date: string) => `until ${date}`,
  },

  password: {
    part: 'Password',
    another: 'New password',
    kept: 'Stays as it is',
    help: '4 to 128 characters. Visitors learn nothing of the link before they give it.',
    show: 'Show',
    hide: 'Hide',
    remove: 'Remove password',
    removed: 'Without a password once you save.',
    keep: 'Keep password',
  },

  redirect: {
    part: 'Redirect',
    status: 'Kind of redirect',
  },

  card: {
    about:
      'What chats and networks show of the link. Nothing filled in: what the destination says of itself.',
    title: 'Title',
    description: 'Description',
    image: 'Image',
    imageHelp: 'Networks load it from there. About 1200 × 630 pixels suit most of them.',
    imageWrong: 'This is not an address that begins with https://.',
  },
};
