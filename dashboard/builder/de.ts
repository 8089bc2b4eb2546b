import { count, number } from '../texts/format.ts';
import type { en } from './en.ts';

const inDays = (n: number): string => count(n, 'Tag', 'Tagen');

export const de: typeof en = {
  builder: {
    title: 'Neuer Link',
    editTitle: (code) => `/${code} bearbeiten`,
    draft: 'Entwurf gespeichert',
    commands: 'Als Befehl kopieren',
    curl: 'Als cURL kopieren',
    cli: 'Als CLI-Befehl kopieren',
    destination: 'Ziel',
    destinationMissing: 'Geben Sie eine Ziel-URL ein.',
    codeShort: 'Ein Code muss mindestens 3 Zeichen haben.',
    name: 'Titel',
    nameHint: 'Zum Beispiel: Newsletter Winterschlussverkauf',
    utm: 'UTM-Parameter',
    utmTemplates: 'Vorlagen',
    utmSave: 'Als Vorlage speichern',
    utmNone: 'Füllen Sie zuerst mindestens ein Feld aus.',
    utmKept: (name) => `Vorlage „${name}“ gespeichert`,
    utmDrop: 'Vorlage löschen',
    utmDropped: (name) => `Vorlage „${name}“ gelöscht`,
    utmUsed: (n) => (n === 1 ? 'einmal verwendet' : `${number(n)}-mal verwendet`),
    utmLower: 'In Kleinbuchstaben geändert, wie in Ihren anderen Links.',
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
      term: 'zum Beispiel laufschuhe',
      content: 'zum Beispiel kopfbild',
    },
    expiryFixed: (n) => `In diesem Tarif laufen Links nach ${inDays(n)} ab.`,
    qrNone: 'Noch kein QR-Code',
    qrFacts: 'QR-Code, Stufe M',
    another: 'Weiteren Link erstellen',
    create: 'Link erstellen',
    saveChanges: 'Änderungen speichern',
    arriveAt: 'Besucher werden weitergeleitet zu',
    everyoneElse: 'Alle anderen',
    made: (link) => `${link} erstellt und kopiert`,
    madeUncopied: (link) => `${link} erstellt`,
    removed: 'Neuer Link in den Papierkorb verschoben',
    optionsLabel: 'Weitere Optionen',
    preview: 'Vorschau',
  },

  making: {
    part: 'Code-Optionen',
    prefix: 'Präfix des generierten Codes',
    length: 'Länge des generierten Codes',
    lengthHelp: '6 bis 32 Zeichen. Standard: 8.',
    isGiven: 'Sie haben einen Code eingegeben, daher wird keiner generiert.',
    only: 'keine Duplikate',
    isOnly: 'Keinen Link erstellen, wenn es schon einen mit diesem Ziel gibt',
  },

  limits: {
    part: 'Zeitplan und Limits',
    maxClicks: 'Klicklimit',
    maxClicksHint: 'Unbegrenzt',
    maxClicksHelp:
      'Ist das Limit erreicht, sehen Besucher eine entsprechende Seite. Bots und Vorschauen zählen nicht.',
    onceHelp:
      'Besucher sehen zuerst eine Seite mit einer Schaltfläche; ein Klick darauf verbraucht den Link. Die Seite zeigt das Ziel nicht.',
    maxClicksWrong:
      'Geben Sie eine Zahl von 1 bis 1.000.000.000 ein, oder lassen Sie das Feld leer, um kein Limit zu setzen.',
    times: (n) => (n === 1 ? '1 Klick' : `${number(n)} Klicks`),
    startsAt: 'Startdatum',
    startsHelp: 'Bis dahin sehen Besucher den Hinweis, dass der Link noch nicht aktiv ist.',
    startsWrong: 'Wählen Sie ein Datum vor dem Ablaufdatum.',
    expiredUrlHelp:
      'Wohin Besucher weitergeleitet werden, wenn der Link abgelaufen oder deaktiviert ist oder sein Klicklimit erreicht hat. Ohne URL sehen sie eine entsprechende Seite.',
    disabled: 'Link deaktivieren',
    disabledHelp:
      'Besucher sehen den Hinweis, dass der Link nicht verfügbar ist. Sie können ihn jederzeit wieder aktivieren.',
    from: (date) => `ab ${date}`,
    until: (date) => `bis ${date}`,
  },

  password: {
    part: 'Passwort',
    another: 'Neues Passwort',
    kept: 'Leer lassen, um das Passwort zu behalten',
    help: '4 bis 128 Zeichen. Das Ziel bleibt verborgen, bis Besucher das Passwort eingeben.',
    show: 'Anzeigen',
    hide: 'Ausblenden',
    remove: 'Passwort entfernen',
    removed: 'Das Passwort wird beim Speichern entfernt.',
    keep: 'Passwort behalten',
  },

  redirect: {
    part: 'Weiterleitung',
    status: 'Weiterleitungstyp',
  },

  card: {
    about:
      'Titel, Text und Bild, die Messenger und soziale Netzwerke anzeigen. Leer lassen, um die des Ziels zu verwenden.',
    title: 'Titel',
    description: 'Beschreibung',
    image: 'Bild-URL',
    imageHelp: 'Muss öffentlich erreichbar sein. Empfohlene Größe: 1200 × 630 Pixel.',
    imageWrong: 'Geben Sie eine URL ein, die mit https:// beginnt.',
  },

  placeholders: {
    insert: 'Platzhalter einfügen',
    tryIt: 'Ausprobieren',
    help: 'Text nach dem Code in der URL des Besuchers.',
    unfinished: 'Geben Sie zuerst ein Ziel ein.',
    unfilled: 'Besucher erhalten eine 404-Seite: Ein Platzhalter hat weder Wert noch Standardwert.',
    refused: 'Besucher erhalten eine 404-Seite: Die entstehende URL ist nicht erlaubt.',
  },
};
