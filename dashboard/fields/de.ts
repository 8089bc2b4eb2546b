import type { en } from './en.ts';

export const de: typeof en = {
  field: {
    onDomains: 'Nur Links auf',
    anyDomain: 'jeder Domain',
    inFolders: 'Nur Links in',
    anyFolder: 'jedem Ordner oder keinem',
    goneFolder: 'ein gelöschter Ordner',
    addressHint: 'https://…',
    addressWrong: 'Das ist keine Webadresse. Sie beginnt mit https:// oder http://.',
    utm: 'UTM',
    domain: 'Domain',
    folder: 'Ordner',
    tags: 'Tags',
    tagsHelp: 'Enter oder ein Komma fügt einen hinzu.',
    expiry: 'Ablauf',
    expiryPresets: {
      none: 'Nie',
      tonight: 'Heute Nacht',
      week: '7 Tage',
      month: 'Monatsende',
      date: 'Datum…',
    },
    expiryDate: 'Läuft ab am',
    expiryWrong: 'Einen Zeitpunkt in der Zukunft wählen.',
    add: (text) => `„${text}“ hinzufügen`,
    noFolder: (name) => `Einen Ordner „${name}“ gibt es nicht. „Neuer Ordner“ in der Liste legt ihn an.`,
    createFolder: (text) => `Neuer Ordner „${text}“`,
    repoint: (before) => `Vorher ${before}`,
    expiredUrl: 'Danach geht es zu',
    managed:
      'Das steht in Dateien: Werden sie das nächste Mal angewandt, gilt eine Änderung von hier nicht mehr.',
    afterwards: (host) => `Danach ${host}`,
    statuses: {
      '302':
        '302, üblich: Jeder Besuch kommt zuerst hierher und wird gezählt. Suchmaschinen behalten die kurze Adresse.',
      '301':
        '301, dauerhaft: Suchmaschinen nehmen stattdessen das Ziel. Auch so wird jeder Besuch erfragt und gezählt, außer von Programmen, die sich die Weiterleitung trotzdem merken.',
      '307': '307: wie 302, und Programme wiederholen, was sie gesendet haben, unverändert.',
      '308': '308, dauerhaft: wie 301, und Programme wiederholen, was sie gesendet haben, unverändert.',
    },
    forward: 'Parameter des Kurzlinks',
    forwards: { none: 'Weglassen', add: 'Ergänzen', override: 'Ersetzen' },
    forwardHelp: {
      none: 'Was hinter dem „?“ des Kurzlinks steht, erreicht das Ziel nicht.',
      add: 'Das Ziel bekommt die Parameter des Kurzlinks, die ihm fehlen.',
      override: 'Parameter des Kurzlinks ersetzen auch die des Ziels.',
    },
    card: 'Vorschaukarte',
    cardImage: (host) => `Bild von ${host}`,
    cardDrawn: 'So etwa wird es aussehen',
    expiredHelp: 'Wenn ein Link vorbei ist und selbst nichts dazu sagt.',
  },

  /** Fields of the table of link fields that need no form of their own. */
  plain: {
    description: { label: 'Beschreibung', help: 'Nur dieses Konto und seine Schlüssel können sie lesen.' },
    externalId: {
      label: 'Externe Kennung',
      help: 'Wie ein anderes System den Link nennt; ein Wort, das ihn wiederfindet.',
    },
    language: {
      label: 'Sprache des Ziels',
      help: 'Ein Kürzel wie de oder pt-BR. Regeln zur Sprache lassen Besucher dort, die sie bevorzugen.',
    },
    unwatched: {
      label: 'Ziel in Ruhe lassen',
      help: 'Es wird nicht von Zeit zu Zeit nachgesehen, ob es noch da ist.',
    },
  },

  code: {
    label: 'Code',
    empty: 'Ein Code wird erzeugt.',
    free: 'Frei',
    taken: 'Vergeben',
    reserved: 'Reserviert',
    takenByYou: 'Der Link gehört zu diesem Konto:',
    openIt: 'öffnen',
    takenElse: 'Dieser Code ist vergeben.',
    reservedWhy: 'Der Server behält dieses Wort für sich.',
    space: 'Ein Code enthält keine Leerzeichen.',
    character: (character) => `Ein Code enthält kein „${character}“.`,
    start: 'Ein Code beginnt mit einem Buchstaben oder einer Ziffer.',
    slash: 'Ein Schrägstrich steht zwischen zwei Teilen, jeder beginnt mit Buchstabe oder Ziffer.',
    segments: 'So viele Schrägstriche erlaubt dieser Server in einem Code nicht.',
    long: 'Ein Code hat höchstens 50 Zeichen.',
    longest: 'Auf dieser Domain hat ein Code höchstens 190 Zeichen.',
    without: 'Ohne Angabe wird einer gebildet.',
    moves: (code) => `/${code} führt weiter hierher.`,
    proposed: 'Etwa',
    alsoFree: 'Auch frei',
    draw: 'Anderen Code vorschlagen',
  },
};
