import type { en } from './en.ts';

export const de: typeof en = {
  help: {
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
      d: 'Beschreibung',
      'mod+enter': 'Anlegen',
    },
  },
};
