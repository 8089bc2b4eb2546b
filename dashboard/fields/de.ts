import type { en } from './en.ts';

export const de: typeof en = {
  field: {
    onDomains: 'Auf Domains beschränken',
    anyDomain: 'Alle Domains',
    inFolders: 'Auf Ordner beschränken',
    anyFolder: 'Alle Ordner',
    goneFolder: 'gelöschter Ordner',
    addressHint: 'https://…',
    addressWrong: 'Geben Sie eine URL ein, die mit https:// oder http:// beginnt.',
    utm: 'UTM',
    domain: 'Domain',
    folder: 'Ordner',
    tags: 'Tags',
    tagsHelp: 'Drücken Sie Enter oder geben Sie ein Komma ein, um einen Tag hinzuzufügen.',
    expiry: 'Ablauf',
    expiryPresets: {
      none: 'Nie',
      tonight: 'Heute Nacht',
      week: '7 Tage',
      month: 'Monatsende',
      date: 'Datum…',
    },
    expiryDate: 'Läuft ab am',
    expiryWrong: 'Wählen Sie einen Zeitpunkt in der Zukunft.',
    noFolder: (name) =>
      `Ordner „${name}“ nicht gefunden. Wählen Sie „Neuer Ordner“ in der Liste, um ihn zu erstellen.`,
    createFolder: (text) => `Neuer Ordner „${text}“`,
    repoint: (before) => `Derzeit ${before}`,
    expiredUrl: 'Weiterleitung nach Ablauf',
    managed:
      'Diese Felder sind in einer Datei festgelegt. Wenn sie das nächste Mal angewendet wird, überschreibt sie Änderungen von hier.',
    afterwards: (host) => `Nach Ablauf: ${host}`,
    statuses: {
      '302': '302 Found (Standard): Jeder Besuch wird gezählt, und Suchmaschinen indexieren die Kurz-URL.',
      '301':
        '301 Moved Permanently: Suchmaschinen indexieren das Ziel. Besuche werden weiter gezählt, außer von Clients, die die Weiterleitung zwischenspeichern.',
      '307':
        '307 Temporary Redirect: wie 302, aber Clients wiederholen die Anfrage mit derselben Methode und demselben Inhalt.',
      '308':
        '308 Permanent Redirect: wie 301, aber Clients wiederholen die Anfrage mit derselben Methode und demselben Inhalt.',
    },
    forward: 'Query-Parameter',
    forwards: { none: 'Ignorieren', add: 'Ergänzen', override: 'Ersetzen' },
    forwardHelp: {
      none: 'Query-Parameter des Kurzlinks werden nicht an das Ziel weitergegeben.',
      add: 'Ergänzt die Query-Parameter des Kurzlinks, die das Ziel nicht hat.',
      override: 'Query-Parameter des Kurzlinks ersetzen die des Ziels.',
    },
    card: 'Vorschaukarte',
    cardImage: (host) => `Bild von ${host}`,
    cardDrawn: 'Ungefähre Vorschau',
    expiredHelp:
      'Wohin Besucher abgelaufener Links weitergeleitet werden, sofern der Link keine eigene URL hat.',
  },

  /** Fields of the table of link fields that need no form of their own. */
  plain: {
    description: {
      label: 'Beschreibung',
      help: 'Nur für Mitglieder und API-Schlüssel dieses Kontos sichtbar.',
    },
    externalId: {
      label: 'Externe ID',
      help: 'Die ID dieses Links in einem anderen System. Sie können den Link darüber abrufen.',
    },
    language: {
      label: 'Sprache des Ziels',
      help: 'Ein Sprachkürzel wie de oder pt-BR. Sprachregeln leiten Besucher, die diese Sprache bevorzugen, nicht um.',
    },
    template: {
      label: 'Platzhalter verwenden',
      help: 'Ersetzt {1}, {path} oder {query.q} im Ziel durch Werte des jeweiligen Besuchs.',
    },
    appendPath: {
      label: 'Pfad anhängen',
      help: 'Hängt den Pfad nach dem Code an das Ziel an.',
    },
    timezone: { label: 'Zeitzone für {date}', help: 'Zum Beispiel Europe/Berlin. Standard ist UTC.' },
    publicQr: {
      label: 'Öffentlicher QR-Code',
      help: 'Jeder kann den QR-Code unter der Kurz-URL mit angehängtem .qr herunterladen.',
    },
    checkDestination: {
      label: 'Ziel nicht überwachen',
      help: 'Linkfold prüft nicht, ob das Ziel erreichbar ist.',
    },
  },

  code: {
    label: 'Code',
    empty: 'Ein Code wird generiert.',
    free: 'Verfügbar',
    taken: 'Vergeben',
    reserved: 'Reserviert',
    takenByYou: 'Sie haben bereits einen Link mit diesem Code.',
    openIt: 'Link öffnen',
    takenElse: 'Dieser Code ist vergeben. Wählen Sie einen anderen.',
    reservedWhy: 'Dieser Code ist vom Server reserviert. Wählen Sie einen anderen.',
    space: 'Ein Code darf keine Leerzeichen enthalten.',
    character: (character) => `Ein Code darf „${character}“ nicht enthalten.`,
    start: 'Ein Code muss mit einem Buchstaben oder einer Ziffer beginnen.',
    slash: 'Jeder Teil zwischen Schrägstrichen muss mit einem Buchstaben oder einer Ziffer beginnen.',
    segments: 'Dieser Code hat mehr Schrägstriche, als dieser Server erlaubt.',
    long: 'Ein Code darf höchstens 50 Zeichen haben.',
    longest: 'Ein Code auf dieser Domain darf höchstens 190 Zeichen haben.',
    without: 'Lassen Sie das Feld leer, um einen Code zu generieren.',
    moves: (code) => `/${code} leitet weiterhin hierher weiter.`,
    proposed: 'Vorschläge',
    alsoFree: 'Auch verfügbar',
    draw: 'Anderen Code vorschlagen',
  },
};
