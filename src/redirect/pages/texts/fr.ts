import type { PageTexts } from './en.ts';

export const fr: PageTexts = {
  notFound: {
    title: 'Ce lien n’existe pas',
    nothing: 'Il n’y a rien à cette adresse.',
    code: 'Il n’y a pas de lien court {code} ici. Comparez-le caractère par caractère avec l’original, ou demandez-en un nouveau. Les majuscules et les minuscules ne font pas de différence.',
  },
  expired: {
    title: 'Ce lien a expiré',
    text: 'Son propriétaire avait fixé une date de fin. Demandez-lui un nouveau lien.',
  },
  notStarted: {
    title: 'Ce lien n’est pas encore actif',
    text: 'Son propriétaire a fixé une date de début. Revenez plus tard.',
  },
  exhausted: {
    title: 'Ce lien est épuisé',
    text: 'Son propriétaire a limité le nombre de visites. Demandez-lui un nouveau lien.',
  },
  unavailable: {
    title: 'Ce lien n’est pas disponible',
    text: 'Son propriétaire l’a désactivé ou ne le propose pas ici.',
  },
  unfilled: {
    title: 'Il manque quelque chose après ce lien',
    text: 'Le lien court doit être suivi d’autre chose, comme un mot ou un nombre : /lien/mot. Demandez à la personne qui vous l’a donné.',
  },
  refused: {
    title: 'Cette adresse n’est pas autorisée',
    text: 'Ce qui suit le lien court forme une adresse vers laquelle il ne peut pas rediriger.',
  },
  tooLong: {
    title: 'Cette adresse est trop longue',
    text: 'Avec ce qui suit le lien court, l’adresse de destination est trop longue. Donnez-en moins.',
  },
  once: {
    title: 'Ce lien ne fonctionne qu’une fois',
    text: 'Il vous redirige quand vous appuyez sur le bouton, puis plus jamais. Si vous vouliez seulement regarder, fermez cette page.',
  },
  password: {
    title: 'Ce lien est protégé par un mot de passe',
    text: 'Saisissez-le pour continuer. Si vous ne le connaissez pas, demandez-le à la personne qui vous a donné le lien.',
    label: 'Mot de passe',
    wrong: 'Ce mot de passe est incorrect. Respectez les majuscules et les minuscules.',
  },
  continue: 'Continuer',
  contact: 'Contact : {contact}',
  failed: { title: 'Une erreur s’est produite', status: 'Erreur {status}' },
  root: {
    title: 'Liens courts',
    heading: 'Bienvenue chez les liens courts',
    text: 'Chaque lien redirige vers une adresse choisie par son propriétaire.',
    page: 'Vous cherchez une page ?',
    pageHelp: 'Saisissez le lien court en entier. La partie après la barre oblique indique la destination.',
    unsure: 'Un doute sur un lien ?',
    unsureHelp: 'Ajoutez un {plus} à la fin. Vous verrez où il mène, sans y aller.',
    making: 'Vous voulez créer des liens courts ?',
    docs: 'documentation',
    docsHelp: 'La {docs} explique comment faire ; chaque appel peut y être essayé.',
    api: 'description de l’API',
    apiHelp: 'La {api} l’explique aux programmes.',
  },
  about: 'À propos de ces liens courts',
  preview: {
    title: 'Où mène {code}',
    heading: 'Ce lien mène à {host}',
    text: 'Le lien court {code} mène à cette adresse :',
    template: 'La destination de {code} est complétée par ce qui suit le lien court :',
    go: 'Aller à {host}',
    made: 'Créé le {date}.',
  },
};
