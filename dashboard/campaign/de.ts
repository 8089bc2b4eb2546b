import { count, number } from '../texts/format.ts';
import type { en } from './en.ts';

const links = (n: number): string => count(n, 'Link', 'Links');

export const de: typeof en = {
  campaign: {
    title: 'Neue Kampagne',
    about: 'Erstellen Sie einen Link pro Kanal, jeder mit eigenem Code und eigenen UTM-Parametern.',
    destination: 'Ziel',
    name: 'Kampagnenname',
    nameHelp: 'Wird zu utm_campaign und zum ersten Teil jedes Codes.',
    channels: 'Kanäle',
    channel: 'Kanal',
    code: 'Code',
    codeOf: (channel) => `Code für ${channel}`,
    target: 'Leitet weiter zu',
    addChannel: 'Kanal hinzufügen',
    channelHint: 'Kanalname, zum Beispiel Podcast',
    remove: (channel) => `${channel} entfernen`,
    saveTemplate: 'Als UTM-Vorlage speichern',
    templateSaved: (name) => `UTM-Vorlage „${name}“ gespeichert`,
    create: (n) => `${links(n)} erstellen`,
    created: (n) => `${links(n)} erstellt`,
    retry: (n) => `Erneut versuchen (${links(n)})`,
    undone: (n) => `${links(n)} in den Papierkorb verschoben`,
    failed: (n) => `${links(n)} nicht erstellt. Ändern Sie die markierten Codes und versuchen Sie es erneut.`,
    codes: 'QR-Codes herunterladen (ZIP)',
    copyAll: 'Alle Links kopieren',
    copied: (n) => `${links(n)} kopiert`,
    done: 'Fertig',
    noChannel: 'Wählen Sie mindestens einen Kanal aus.',
    repeated: 'Ein anderer Kanal verwendet diesen Code.',
    taken: 'Dieser Code ist vergeben.',
    reserved: 'Dieser Code ist reserviert.',
    tooMany: (most) => `Eine Kampagne kann bis zu ${number(most)} Kanäle haben.`,
    defaults: {
      newsletter: 'Newsletter',
      poster: 'Plakat',
      instagram: 'Instagram',
      linkedin: 'LinkedIn',
      facebook: 'Facebook',
      youtube: 'YouTube',
    },
  },
};
