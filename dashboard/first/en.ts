export const en = {
  owner: {
    name: 'Your name',
    help: 'You become the owner of this account. You can invite members later; programs use API keys.',
    submit: 'Continue',
    skip: 'Skip and use API keys only',
    missing: 'Enter your name, or skip this step.',
  },
  first: {
    title: 'Your server is ready',
    titleHome: 'Create your first link in three steps',
    steps: 'Getting started',
    make: 'Create a short link',
    lead: 'Paste a URL to create a short link. It works right away.',
    address: 'URL',
    shorten: 'Create link',
    follow: 'Open it',
    followMore: 'Opens the short link in a new tab, as a visitor would see it.',
    open: 'Open',
    openAgain: 'Open again',
    baseUrlLocal:
      'This link only works on this machine. Set BASE_URL to your own domain before you share links or print QR codes.',
    count: 'See the click',
    waiting: 'Waiting for your click…',
    counted: 'Your click was counted.',
    done: 'Go to Home',
  },
};
