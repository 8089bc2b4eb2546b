import { count, number } from '../texts/format.ts';
import type { en } from './en.ts';

const links = (n: number): string => count(n, 'Link', 'Links');

export const de: typeof en = {
  did: {
    saved: 'Link aktualisiert',
    savedBack: 'Änderung rückgängig gemacht',
    copied: (link) => `${link} kopiert`,
    deleted: (n) => `${links(n)} in den Papierkorb verschoben`,
    restored: (n) => `${links(n)} wiederhergestellt`,
    archived: (n) => `${links(n)} archiviert`,
    unarchived: (n) => `Archivierung von ${links(n)} aufgehoben`,
    moved: (n, folder) => `${links(n)} nach ${folder} verschoben`,
    movedBack: (n) => `${links(n)} zurückverschoben`,
    tagged: (n) => `Tags von ${links(n)} geändert`,
    expirySet: (n) => `Ablaufdatum von ${links(n)} geändert`,
    expiryBack: 'Änderung rückgängig gemacht',
    reading: (n, total) => `Links werden gesucht: ${number(n)} von ${number(total)}`,
    progress: (n, total) => `Links werden geändert: ${number(n)} von ${number(total)}`,
    cancelled: 'Abgebrochen. Es wurden keine Links geändert.',
    failed: (n) => `${links(n)} ${n === 1 ? 'konnte' : 'konnten'} nicht geändert werden`,
  },

  errors: {
    unreachable: 'Der Server antwortet nicht. Ihre Eingaben bleiben erhalten.',
    stillRedirects: 'Ihre Links funktionieren weiterhin, und Klicks werden gezählt.',
    codes: {
      INSUFFICIENT_SCOPE: 'Ihnen fehlt die Berechtigung dafür.',
      STORAGE_UNAVAILABLE: 'Die Datenbank antwortet nicht (503). Versuchen Sie es gleich erneut.',
      OVERLOADED: 'Der Server ist ausgelastet. Versuchen Sie es gleich erneut.',
      REVISION_MISMATCH:
        'Dieser Link wurde von jemand anderem geändert. Sie sehen jetzt die aktuelle Version.',
      RATE_LIMIT_EXCEEDED: 'Zu viele Anfragen. Versuchen Sie es in einer Minute erneut.',
      REAUTHENTICATION_REQUIRED: 'Melden Sie sich dafür erneut an.',
      OIDC_REFUSED: 'Die Anmeldung ist fehlgeschlagen. Versuchen Sie es erneut.',
      OIDC_NO_ACCESS:
        'Sie haben hier noch keinen Zugang. Bitten Sie um eine Einladung oder darum, in eine berechtigte Gruppe aufgenommen zu werden.',
      OIDC_ONLY: 'Hier ist nur die Anmeldung per Single Sign-on möglich.',
      OIDC_UNAVAILABLE:
        'Der Single-Sign-on-Anbieter antwortet nicht wie erwartet. Versuchen Sie es später erneut.',
      INVALID_API_KEY: 'Dieser API-Schlüssel ist ungültig.',
      EXPIRED_API_KEY: 'Dieser API-Schlüssel ist abgelaufen.',
      COUNT_DIFFERS: 'Die Liste hat sich seit der Auswahl geändert. Wählen Sie die Links erneut aus.',
      CUSTOM_CODE_TAKEN: 'Dieser Code ist vergeben. Wählen Sie einen anderen.',
      CUSTOM_CODE_RESERVED: 'Dieser Code ist reserviert. Wählen Sie einen anderen.',
      INVALID_CUSTOM_CODE: 'Dieser Code enthält unzulässige Zeichen.',
      INVALID_URL: 'Geben Sie eine gültige URL ein, die Besucher öffnen können.',
      SELF_REFERENTIAL_URL: 'Das Ziel darf nicht auf diesen Server verweisen.',
      DESTINATION_BLOCKED: 'Dieses Ziel ist auf diesem Server gesperrt.',
      EXPIRY_IN_PAST: 'Wählen Sie ein Ablaufdatum in der Zukunft.',
      UTM_TEMPLATE_NAME_TAKEN: 'Eine Vorlage mit diesem Namen ist bereits vorhanden.',
      TAG_NAME_TAKEN: 'Ein Tag mit diesem Namen ist bereits vorhanden.',
    },
  },

  writes: {
    wait: 'Warten auf den Server…',
    readOnly: 'Ihnen fehlt die Berechtigung, Links zu bearbeiten.',
  },
};
