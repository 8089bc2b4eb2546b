import type { Texts } from '../en/later.ts';
import { number } from '../format.ts';

const count = (n: number, one: string, other: string): string => `${number(n)} ${n === 1 ? one : other}`;
const inDays = (n: number): string => count(n, 'Tag', 'Tagen');

/** Start, der erste Start, das Befehlsmenü und die Hilfe. */
export const placesTexts: Pick<Texts, 'first' | 'home' | 'homeFigures' | 'command' | 'help'> = {
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

  home: {
    account: 'Dieses Konto',
    nothing: 'Nichts zu tun.',
    attention: 'Braucht Aufmerksamkeit',
    expiresIn: (n) => (n === 0 ? 'läuft heute ab' : n === 1 ? 'läuft morgen ab' : `läuft in ${inDays(n)} ab`),
    thenExpired: (when) => `${when}. Besucher sehen dann „abgelaufen“.`,
    extend: 'Verlängern',
    soon: (n) => `${n === 1 ? 'Ein Link läuft' : `${number(n)} Links laufen`} bald ab.`,
  },

  homeFigures: {
    clicksToday: 'Klicks heute',
    visitors: 'Besucher',
    scans: 'QR-Scans',
    month: 'Letzte 30 Tage',
    against: (weekday: string, time: string, people: string) =>
      `Änderung gegenüber letztem ${weekday} bis ${time}. Alle Arten von Klicks; Menschen allein: ${people}.`,
    live: 'Live',
    paused: 'Pause, solange diese Seite nicht zu sehen ist',
    liveAbout: 'Heute, ein Balken je Stunde',
    last: 'Letzte Klicks',
    most: 'Am meisten geklickt, letzte 7 Tage',
    allLinks: 'Alle Links',
    statistics: 'Statistik',
    noClicks: 'Keine Klicks in den letzten 7 Tagen.',
    failed: 'Die Zahlen konnten nicht gelesen werden',
  },

  command: {
    title: 'Suchen oder springen',
    placeholder: 'Suchen oder springen',
    links: 'Links',
    of: (shown, total) => `${number(shown)} von ${number(total)}`,
    doWith: (code) => `Mit /${code}`,
    elsewhere: 'Anderswo',
    choose: 'wählen',
    thenLetter: 'dann ein Buchstabe: mit diesem Link',
    took: (ms) => `${number(ms)} ms`,
    newWithCode: (code) => `Neuer Link mit dem Code „${code}“`,
    newTo: (url) => `Neuer Link zu ${url}`,
    folder: (name) => `Ordner ${name}`,
    tag: (name) => `Tag ${name}`,
    folderLinks: (n) => count(n, 'Link', 'Links'),
    nothing: 'Nichts gefunden',
    theme: 'Zwischen hell und dunkel wechseln',
    help: 'Tastenkürzel',
  },

  help: {
    title: 'Tastenkürzel',
    anywhere: 'Überall',
    list: 'Liste der Links',
    builder: 'Link anlegen',
    off: 'Einzelne Buchstaben sind in den Einstellungen abgeschaltet.',
    rows: {
      c: 'Neuer Link',
      paste: 'Adresse einfügen: neuer Link dorthin',
      '/': 'Suchen',
      'mod+k': 'Suchen oder springen',
      g: 'Zu Start, Links, Statistik, Ordnern, Tags, Schlüsseln, Papierkorb',
      '[': 'Seite zeigen oder verbergen',
      '?': 'Diese Seite',
      z: 'Rückgängig',
      escape: 'Schließen, dann Auswahl aufheben',
    },
    listRows: {
      move: 'Bewegen',
      extend: 'Auswahl erweitern',
      x: 'Auswählen',
      'mod+a': 'Alle geladenen, dann alle Treffer auswählen',
      enter: 'Öffnen',
      y: 'Kopieren',
      e: 'Bearbeiten',
      q: 'QR-Code',
      m: 'Verschieben',
      t: 'Tags',
      backspace: 'Löschen',
    },
    builderRows: {
      u: 'UTM-Parameter',
      e: 'Beginn und Ende',
      r: 'Regeln',
      n: 'Notiz',
      'mod+enter': 'Anlegen',
    },
  },
};
