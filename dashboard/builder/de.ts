import { count, number } from '../texts/format.ts';
import type { en } from './en.ts';

const inDays = (n: number): string => count(n, 'Tag', 'Tagen');

export const de: typeof en = {
  builder: {
    title: 'Neuer Link',
    editTitle: (code) => `/${code} bearbeiten`,
    draft: 'Entwurf erhalten',
    commands: 'Als Befehl kopieren',
    curl: 'Als curl kopieren',
    cli: 'Für die Kommandozeile kopieren',
    destination: 'Ziel',
    destinationMissing: 'Ein Link braucht ein Ziel.',
    codeShort: 'Ein Code hat mindestens 3 Zeichen.',
    name: 'Titel',
    nameHint: 'Was es ist, in eigenen Worten',
    utm: 'UTM-Parameter',
    utmTemplates: 'Vorlagen',
    utmSave: 'Als Vorlage behalten',
    utmNone: 'Zuerst mindestens ein Feld ausfüllen.',
    utmKept: (name) => `Vorlage „${name}“ behalten`,
    utmDrop: 'Diese Vorlage entfernen',
    utmDropped: (name) => `Vorlage „${name}“ entfernt`,
    utmUsed: (n) => (n === 1 ? 'einmal benutzt' : `${number(n)}-mal benutzt`),
    utmLower: 'Wird klein geschrieben, wie in den anderen Links.',
    utmFields: {
      source: 'Quelle',
      medium: 'Medium',
      campaign: 'Kampagne',
      term: 'Begriff',
      content: 'Inhalt',
    },
    utmHints: {
      source: 'newsletter',
      medium: 'email',
      campaign: 'winter_2026',
      term: 'zum Beispiel: rad+tasche',
      content: 'zum Beispiel: kopfbild',
    },
    expiryFixed: (n) => `Links dieses Tarifs laufen nach ${inDays(n)} ab.`,
    qrNone: 'Noch kein QR-Code',
    qrFacts: 'QR-Code, Stufe M',
    another: 'Danach noch einen anlegen',
    create: 'Link anlegen',
    saveChanges: 'Änderungen sichern',
    arriveAt: 'Besucher kommen an bei',
    made: (link) => `${link} kopiert`,
    madeUncopied: (link) => `${link} angelegt`,
    removed: 'Der neue Link liegt im Papierkorb',
    optionsLabel: 'Mehr zu diesem Link',
    preview: 'Vorschau',
  },

  making: {
    part: 'Code-Optionen',
    prefix: 'Der erzeugte Code beginnt mit',
    length: 'Erzeugte Zeichen',
    lengthHelp: '6 bis 32; ohne Angabe 8.',
    isGiven: 'Der Code steht oben, es wird keiner erzeugt.',
    only: 'kein zweiter Link',
    isOnly: 'Nur, wenn kein anderer Link zu diesem Ziel führt',
  },

  limits: {
    part: 'Beginn und Ende',
    maxClicks: 'Wie oft Menschen ihm folgen können',
    maxClicksHint: 'Unbegrenzt',
    maxClicksHelp: 'Danach erscheint eine Seite, die das sagt. Bots und Vorschauen verbrauchen nichts.',
    onceHelp:
      'Es erscheint eine Seite mit einem Knopf; ihn zu drücken verbraucht den Link. Das Ziel zeigt sie nicht.',
    maxClicksWrong: 'Eine ganze Zahl von 1 bis 1.000.000.000, oder nichts für unbegrenzt.',
    times: (n) => (n === 1 ? 'einmal' : `${number(n)} Mal`),
    startsAt: 'Beginnt zu arbeiten',
    startsHelp: 'Wer vorher kommt, sieht eine Seite, die das sagt.',
    startsWrong: 'Einen Zeitpunkt vor dem Ablauf wählen.',
    expiredUrlHelp:
      'Wenn der Link abgelaufen, verbraucht oder ausgeschaltet ist. Ohne Adresse erscheint eine Seite, die das sagt.',
    disabled: 'Ausgeschaltet',
    disabledHelp:
      'Besucher sehen eine Seite, die das sagt. Nichts geht verloren, und er lässt sich wieder einschalten.',
    from: (date) => `ab ${date}`,
    until: (date) => `bis ${date}`,
  },

  password: {
    part: 'Passwort',
    another: 'Neues Passwort',
    kept: 'Bleibt, wie es ist',
    help: '4 bis 128 Zeichen. Wer es nicht eingibt, erfährt nichts von dem Link.',
    show: 'Zeigen',
    hide: 'Verbergen',
    remove: 'Passwort entfernen',
    removed: 'Nach dem Speichern ohne Passwort.',
    keep: 'Passwort behalten',
  },

  redirect: {
    part: 'Weiterleitung',
    status: 'Art der Weiterleitung',
  },

  card: {
    about: 'Was Chats und Netzwerke vom Link zeigen. Ohne Angaben: was das Ziel von sich selbst sagt.',
    title: 'Titel',
    description: 'Beschreibung',
    image: 'Bild',
    imageHelp: 'Netzwerke laden es von dort. Etwa 1200 × 630 Pixel passen den meisten.',
    imageWrong: 'Das ist keine Adresse, die mit https:// beginnt.',
  },
};
