/** UI strings that appear both on visitors' pages and in the dashboard's branding preview. */
export interface BrandedTexts {
  readonly expired: { readonly title: string; readonly text: string };
  readonly continue: string;
  readonly contact: string;
}

/**
 * UI strings by language (BCP 47). They are separate from `pageTexts`, so that the dashboard does not load all strings.
 */
export const brandedTexts = {
  en: {
    expired: {
      title: 'This link has expired',
      text: 'Ask the person who shared it for a new link.',
    },
    continue: 'Continue',
    contact: 'Contact: {contact}',
  },
  de: {
    expired: {
      title: 'Dieser Link ist abgelaufen',
      text: 'Bitten Sie die Person, die ihn geteilt hat, um einen neuen Link.',
    },
    continue: 'Weiter',
    contact: 'Kontakt: {contact}',
  },
  fr: {
    expired: {
      title: 'Ce lien a expiré',
      text: 'Demandez un nouveau lien à la personne qui l’a partagé.',
    },
    continue: 'Continuer',
    contact: 'Contact : {contact}',
  },
  es: {
    expired: {
      title: 'Este enlace ha caducado',
      text: 'Pide un enlace nuevo a quien lo compartió.',
    },
    continue: 'Continuar',
    contact: 'Contacto: {contact}',
  },
  it: {
    expired: {
      title: 'Questo link è scaduto',
      text: 'Chiedi un nuovo link a chi l’ha condiviso.',
    },
    continue: 'Continua',
    contact: 'Contatto: {contact}',
  },
  pt: {
    expired: {
      title: 'Este link expirou',
      text: 'Peça um novo link a quem o partilhou.',
    },
    continue: 'Continuar',
    contact: 'Contacto: {contact}',
  },
  nl: {
    expired: {
      title: 'Deze link is verlopen',
      text: 'Vraag een nieuwe link aan degene die hem heeft gedeeld.',
    },
    continue: 'Doorgaan',
    contact: 'Contact: {contact}',
  },
  pl: {
    expired: {
      title: 'Ten link wygasł',
      text: 'Poproś o nowy link osobę, która go udostępniła.',
    },
    continue: 'Kontynuuj',
    contact: 'Kontakt: {contact}',
  },
} as const satisfies Record<string, BrandedTexts>;

export type PageLanguage = keyof typeof brandedTexts;
