import type { en } from './en.ts';

export const de: typeof en = {
  owner: {
    name: 'Ihr Name',
    help: 'Sie werden Inhaber dieses Kontos. Mitglieder können Sie später einladen; Programme verwenden API-Schlüssel.',
    submit: 'Weiter',
    skip: 'Überspringen und nur API-Schlüssel verwenden',
    missing: 'Geben Sie Ihren Namen ein, oder überspringen Sie diesen Schritt.',
  },
  first: {
    title: 'Ihr Server ist bereit',
    titleHome: 'In drei Schritten zum ersten Link',
    steps: 'Erste Schritte',
    make: 'Kurzlink erstellen',
    lead: 'Fügen Sie eine URL ein, um einen Kurzlink zu erstellen. Er funktioniert sofort.',
    address: 'URL',
    shorten: 'Link erstellen',
    follow: 'Link öffnen',
    followMore: 'Öffnet den Kurzlink in einem neuen Tab, wie Besucher ihn sehen.',
    open: 'Öffnen',
    openAgain: 'Erneut öffnen',
    baseUrlLocal:
      'Dieser Link funktioniert nur auf diesem Rechner. Setzen Sie BASE_URL auf Ihre eigene Domain, bevor Sie Links teilen oder QR-Codes drucken.',
    count: 'Klick ansehen',
    waiting: 'Warten auf Ihren Klick…',
    counted: 'Ihr Klick wurde gezählt.',
    done: 'Zur Startseite',
  },
};
