import type { Texts } from '../texts/en/later.ts';

/** Die Codes eines Links. */
export const codesTexts: Pick<Texts, 'codes'> = {
  codes: {
    button: 'Codes',
    title: (code: string) => `Codes von /${code}`,
    about: 'Jeder Code führt zu demselben Link und zählt für ihn. Ein gedruckter Code geht weiter.',
    another: 'Noch ein Code',
    add: 'Hinzufügen',
    listed: 'Codes, die gehen',
    own: 'sein eigener',
    none: 'Er hat keinen anderen Code.',
    use: 'Zum eigenen machen',
    remove: 'Entfernen',
    added: (code: string) => `/${code} führt zum Link`,
    removed: (code: string) => `/${code} führt jetzt nirgendwohin`,
    failed: 'Die Codes waren nicht zu lesen',
  },
};
