import { count, number } from '../texts/format.ts';

const days = (n: number): string => count(n, 'day', 'days');

export const en = {
  builder: {
    title: 'New link',
    editTitle: (code: string) => `Edit /${code}`,
    draft: 'Draft saved',
    commands: 'Copy as command',
    curl: 'Copy as cURL',
    cli: 'Copy as CLI command',
    destination: 'Destination',
    destinationMissing: 'Enter a destination URL.',
    codeShort: 'A code must have at least 3 characters.',
    name: 'Title',
    nameHint: 'For example: Winter sale newsletter',
    utm: 'UTM parameters',
    utmTemplates: 'Templates',
    utmSave: 'Save as template',
    utmNone: 'Fill in at least one field first.',
    utmKept: (name: string) => `Template “${name}” saved`,
    utmDrop: 'Delete template',
    utmDropped: (name: string) => `Template “${name}” deleted`,
    utmUsed: (n: number) => (n === 1 ? 'used once' : `used ${number(n)} times`),
    utmLower: 'Changed to lower case, as in your other links.',
    utmFields: { source: 'Source', medium: 'Medium', campaign: 'Campaign', term: 'Term', content: 'Content' },
    utmHints: {
      source: 'newsletter',
      medium: 'email',
      campaign: 'winter_2026',
      term: 'for example running+shoes',
      content: 'for example header-image',
    },
    expiryFixed: (n: number) => `Links on this plan expire after ${days(n)}.`,
    qrNone: 'No QR code yet',
    qrFacts: 'QR code, level M',
    another: 'Create another',
    create: 'Create link',
    saveChanges: 'Save changes',
    arriveAt: 'Visitors go to',
    everyoneElse: 'Everyone else',
    made: (link: string) => `${link} created and copied`,
    madeUncopied: (link: string) => `${link} created`,
    removed: 'New link moved to the bin',
    optionsLabel: 'More options',
    preview: 'Preview',
  },

  making: {
    part: 'Code options',
    prefix: 'Prefix of the generated code',
    length: 'Length of the generated code',
    lengthHelp: '6 to 32 characters. Default: 8.',
    isGiven: 'You entered a code, so none is generated.',
    only: 'no duplicates',
    isOnly: 'Don’t create a link if one with this destination already exists',
  },

  limits: {
    part: 'Schedule and limits',
    maxClicks: 'Click limit',
    maxClicksHint: 'Unlimited',
    maxClicksHelp: 'After that, visitors see a “limit reached” page. Bots and previews do not count.',
    onceHelp:
      'Visitors first see a page with a button; pressing it uses up the link. The page does not show the destination.',
    maxClicksWrong: 'Enter a number from 1 to 1,000,000,000, or leave empty for no limit.',
    times: (n: number) => (n === 1 ? '1 click' : `${number(n)} clicks`),
    startsAt: 'Start date',
    startsHelp: 'Until then, visitors see a page saying that the link is not active yet.',
    startsWrong: 'Choose a date before the expiry date.',
    expiredUrlHelp:
      'Used when the link has expired, has reached its click limit or is disabled. Without a URL, visitors see a page with the reason.',
    disabled: 'Disable link',
    disabledHelp:
      'Visitors see a page saying that the link is not available. You can enable it again at any time.',
    from: (date: string) => `from ${date}`,
    until: (date: string) => `until ${date}`,
  },

  password: {
    part: 'Password',
    another: 'New password',
    kept: 'Leave empty to keep the password',
    help: '4 to 128 characters. The destination is hidden until visitors enter the password.',
    show: 'Show',
    hide: 'Hide',
    remove: 'Remove password',
    removed: 'The password is removed when you save.',
    keep: 'Keep password',
  },

  redirect: {
    part: 'Redirect',
    status: 'Redirect type',
  },

  card: {
    about:
      'The title, text and image that chat apps and social networks show. Leave empty to use the destination’s own.',
    title: 'Title',
    description: 'Description',
    image: 'Image URL',
    imageHelp: 'Must be publicly reachable. Recommended size: 1200 × 630 pixels.',
    imageWrong: 'Enter a URL that starts with https://.',
  },

  placeholders: {
    insert: 'Insert a placeholder',
    tryIt: 'Try it',
    help: 'Text after the code in the visitor’s URL.',
    unfinished: 'Enter a destination first.',
    unfilled: 'Visitors get a 404 page: a placeholder has no value and no default.',
    refused: 'Visitors get a 404 page: the resulting URL is not allowed.',
  },
};
