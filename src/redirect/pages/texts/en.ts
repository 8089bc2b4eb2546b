/**
 * English UI strings for visitors' pages, in addition to `branded.ts`. Every other language has the same keys and
 * `{placeholders}`.
 */
export const en = {
  notFound: {
    title: 'Link not found',
    nothing: 'This page does not exist.',
    code: 'There is no short link {code} here. Check it for typos, or ask the person who shared it for a new link. Upper and lower case make no difference.',
    create: 'Create this link',
  },
  notStarted: {
    title: 'This link is not active yet',
    text: 'Its owner set a start date. Try again later.',
  },
  exhausted: {
    title: 'This link has reached its click limit',
    text: 'Ask the person who shared it for a new link.',
  },
  unavailable: {
    title: 'This link is not available',
    text: 'Its owner disabled it or restricted who can open it.',
  },
  unfilled: {
    title: 'This link is incomplete',
    text: 'Add a word or number after the short link, such as /link/word. Ask the person who shared it what to add.',
  },
  refused: {
    title: 'This URL is not allowed',
    text: 'The text after the short link results in a URL that this link cannot redirect to.',
  },
  tooLong: {
    title: 'This URL is too long',
    text: 'The text after the short link makes the destination URL too long. Use less text.',
  },
  once: {
    title: 'You can use this link only once',
    text: 'Press the button to open the destination. After that, the link stops working. To use it later, close this page.',
  },
  exclude: {
    title: 'Exclude your own visits?',
    text: 'Short links still redirect, but visits from this browser are no longer counted for your account.',
  },
  count: {
    title: 'Count your own visits again?',
    text: 'Visits from this browser are counted for your account again.',
  },
  password: {
    title: 'This link is password protected',
    text: 'Enter the password to continue. If you do not know it, ask the person who shared the link.',
    label: 'Password',
    wrong: 'Wrong password. Passwords are case-sensitive.',
  },
  app: {
    title: 'Open in the app?',
    text: 'This link opens in an app. If the app is not installed, continue on the web.',
    open: 'Open app',
    store: 'Get the app',
    web: 'Continue to {host}',
  },
  failed: { title: 'Something went wrong', status: 'Error {status}' },
  root: {
    title: 'Short links',
    heading: 'This is a short link service',
    text: 'Each short link redirects to a URL that its owner has chosen.',
    page: 'Looking for a page?',
    pageHelp: 'Enter the full short link, including the part after the slash.',
    unsure: 'Not sure where a link goes?',
    unsureHelp: 'Add {plus} to the end of a short link to see the destination without opening it.',
    making: 'Want to create short links?',
    docs: 'documentation',
    docsHelp: 'See the {docs}. You can try every API call there.',
    api: 'API description',
    apiHelp: 'Programs can read the {api}.',
  },
  about: 'About these short links',
  preview: {
    title: 'Preview of {code}',
    heading: 'This link redirects to {host}',
    text: 'The short link {code} redirects to this URL:',
    template: 'The destination of {code} is filled in with the text after the short link:',
    go: 'Continue to {host}',
    made: 'Created on {date}.',
  },
};

export type PageTexts = typeof en;
