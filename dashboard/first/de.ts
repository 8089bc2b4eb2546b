import type { en } from './en.ts';

export const de: typeof en = {
  owner: {
    name: 'Ihr Name',
    help: 'Sie werden Inhaber dieses Kontos. Andere kommen mit einer Einladung dazu, Programme mit Schlüsseln.',
    submit: 'Weiter',
    skip: 'Überspringen: vorerst nur Schlüssel',
    missing: 'Sagen Sie, wie Sie heißen, oder überspringen Sie das.',
  },
  first: {
    title: 'Der Server ist bereit',
    titleHome: 'Drei Schritte zum ersten Link',
    steps: 'Erste Schritte',
    make: 'Einen kurzen Link erzeugen',
    lead: 'Beliebige Adresse einfügen. Sie wird ein kurzer Link, der sofort funktioniert.',
    address: 'Adresse',
    shorten: 'Kürzen',
    follow: 'Ihm folgen',
    followMore: 'Wie ein Besucher, in einem eigenen Fenster.',
    open: 'Öffnen',
    openAgain: 'Noch einmal öffnen',
    baseUrlLocal:
      'Nur dieser Rechner findet ihn. BASE_URL auf die eigene Domain setzen, bevor ein Code gedruckt wird.',
    count: 'Sehen, wie er zählt',
    waiting: 'Der Klick wird erwartet.',
    counted: 'Er war gezählt, bevor die Seite da war, zu der er führt.',
    done: 'Weiter zur Startseite',
  },
};
