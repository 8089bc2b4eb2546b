import type { en } from './en.ts';

export const de: typeof en = {
  first: {
    title: 'Der Server ist bereit',
    lead: 'Beliebige Adresse einfügen. Sie wird ein kurzer Link, der sofort funktioniert.',
    address: 'Adresse',
    make: 'Kürzen',
    signedIn: 'Angemeldet',
    signedInMore: 'Der Einmal-Link ist verbraucht. Die Sitzung dauert 12 Stunden ohne Nutzung.',
    key: 'Erster Schlüssel',
    keyMore: 'Einmal im Terminal gedruckt. Weitere, mit weniger Rechten, gibt es unter Schlüssel.',
    baseUrl: (url) => `Kurze Links beginnen mit ${url}`,
    baseUrlLocal: 'BASE_URL auf die eigene Domain setzen, bevor ein Code gedruckt wird.',
    baseUrlGood: 'Diese Adresse sehen Besucher.',
    made: 'Der erste kurze Link',
    open: 'Öffnen',
    toLinks: 'Zu den Links',
  },
};
