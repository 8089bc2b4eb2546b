import { count, number } from '../texts/format.ts';
import type { en } from './en.ts';

export const de: typeof en = {
  link: {
    back: 'Links',
    created: (date) => `Erstellt am ${date}`,
    neverExpires: 'Läuft nie ab',
    expires: (date) => `Läuft am ${date} ab`,
    expired: (date) => `Abgelaufen am ${date}`,
    none: 'Link nicht gefunden',
    noneMore:
      'Vielleicht liegt er im Papierkorb. Gelöschte Links behalten ihren Code und lassen sich wiederherstellen.',
    toBin: 'Zum Papierkorb',
    editDestination: 'Ziel bearbeiten',
    editTitle: 'Titel bearbeiten',
    addTitle: 'Titel hinzufügen',
    left: (n, of) => `noch ${number(n)} von ${number(of)} Klicks`,
    excludedToday: (n) => `${count(n, 'Besuch', 'Besuche')} heute ausgeschlossen`,
    excludedHelp:
      'Besuche aus ausgeschlossenen Netzwerken und Browsern seit Mitternacht UTC. Sie zählen nicht als Klicks.',
    switchOff: 'Deaktivieren',
    switchOn: 'Aktivieren',
    switchedOff: (link) => `${link} deaktiviert`,
    switchedOn: (link) => `${link} aktiviert`,
    begins: (date) => `Beginnt am ${date}`,
    password: 'Passwortgeschützt',
    changePassword: 'Ändern',
    redirects: (status) => `${status}-Weiterleitung`,
    editCard: 'Vorschaukarte bearbeiten',
    share: 'Teilen',
    openDestination: 'Ziel öffnen',
    duplicate: 'Duplizieren',
    history: 'Verlauf',
  },

  why: {
    none: 'Warum gibt es keine Klicks?',
    fewer: 'Warum gibt es weniger Klicks?',
    turnedAway: 'Besucher konnten nicht weitergeleitet werden',
    calm: 'Über diese Klicks',
    weeks: (now, before) =>
      `${count(now, 'Klick', 'Klicks')} in den letzten 7 Tagen, ${number(before)} in den 7 Tagen davor`,
    missed: (n, reason, day) =>
      `${count(n, 'Besucher', 'Besucher')} in den letzten 30 Tagen nicht weitergeleitet, weil der Link ${reason}; zuletzt am ${day}`,
    reasons: {
      deleted: 'gelöscht war',
      expired: 'abgelaufen war',
      disabled: 'deaktiviert war',
      'not-started': 'noch nicht aktiv war',
      exhausted: 'sein Klicklimit erreicht hatte',
    },
    classes: ({ human, preview, bot, prefetch }) =>
      `Letzte 7 Tage: ${count(human, 'Klick', 'Klicks')} von Menschen, ${count(preview, 'Linkvorschau', 'Linkvorschauen')}, ${count(bot, 'Bot', 'Bots')}, ${count(prefetch, 'Vorabruf', 'Vorabrufe')}`,
    unchecked: 'Das Ziel wurde noch nicht geprüft',
    changed: (action, when, who) => `Letzte Änderung: ${action} ${when} ${who}`,
    notShared: 'Noch nicht geteilt?',
  },

  codes: {
    button: 'Codes bearbeiten',
    title: (code: string) => `Codes für /${code}`,
    about:
      'Alle Codes eines Links haben dasselbe Ziel, und ihre Klicks werden zusammen gezählt. Gedruckte Codes funktionieren weiter.',
    another: 'Neuer Code',
    add: 'Hinzufügen',
    listed: 'Codes',
    own: 'primär',
    none: 'Keine weiteren Codes.',
    use: 'Als primären Code verwenden',
    remove: 'Entfernen',
    added: (code: string) => `/${code} hinzugefügt`,
    removed: (code: string) => `/${code} entfernt`,
    failed: 'Die Codes konnten nicht geladen werden',
  },
};
