import type { PageTexts } from './en.ts';

export const fr: PageTexts = {
  notFound: {
    title: 'Lien introuvable',
    nothing: 'Cette page n’existe pas.',
    code: 'Le lien court {code} n’existe pas ici. Vérifiez l’orthographe ou demandez un nouveau lien à la personne qui l’a partagé. Majuscules et minuscules sont équivalentes.',
    create: 'Créer ce lien',
  },
  notStarted: {
    title: 'Ce lien n’est pas encore actif',
    text: 'Son propriétaire a défini une date de début. Réessayez plus tard.',
  },
  exhausted: {
    title: 'Ce lien a atteint sa limite de clics',
    text: 'Demandez un nouveau lien à la personne qui l’a partagé.',
  },
  unavailable: {
    title: 'Ce lien n’est pas disponible',
    text: 'Son propriétaire l’a désactivé ou a limité les personnes qui peuvent l’ouvrir.',
  },
  unfilled: {
    title: 'Ce lien est incomplet',
    text: 'Ajoutez un mot ou un nombre après le lien court, par exemple /lien/mot. Demandez à la personne qui l’a partagé ce qu’il faut ajouter.',
  },
  refused: {
    title: 'Cette URL n’est pas autorisée',
    text: 'Avec le texte qui suit le lien court, la destination est une URL vers laquelle ce lien ne peut pas rediriger.',
  },
  tooLong: {
    title: 'Cette URL est trop longue',
    text: 'Avec le texte qui suit le lien court, l’URL de destination est trop longue. Raccourcissez ce texte.',
  },
  once: {
    title: 'Vous ne pouvez utiliser ce lien qu’une seule fois',
    text: 'Appuyez sur le bouton pour ouvrir la destination. Le lien cessera ensuite de fonctionner. Pour l’utiliser plus tard, fermez cette page.',
  },
  exclude: {
    title: 'Exclure vos propres visites ?',
    text: 'Les liens courts redirigent toujours, mais les visites de ce navigateur ne sont plus comptées pour votre compte.',
  },
  count: {
    title: 'Compter à nouveau vos propres visites ?',
    text: 'Les visites de ce navigateur sont à nouveau comptées pour votre compte.',
  },
  password: {
    title: 'Ce lien est protégé par un mot de passe',
    text: 'Saisissez le mot de passe pour continuer. Si vous ne le connaissez pas, demandez-le à la personne qui a partagé le lien.',
    label: 'Mot de passe',
    wrong: 'Mot de passe incorrect. Respectez les majuscules et les minuscules.',
  },
  app: {
    title: 'Ouvrir dans l’application ?',
    text: 'Ce lien s’ouvre dans une application. Si elle n’est pas installée, continuez sur le web.',
    open: 'Ouvrir l’application',
    store: 'Télécharger l’application',
    web: 'Continuer vers {host}',
  },
  failed: { title: 'Une erreur s’est produite', status: 'Erreur {status}' },
  root: {
    title: 'Liens courts',
    heading: 'Ceci est un service de liens courts',
    text: 'Chaque lien court redirige vers une URL choisie par son propriétaire.',
    page: 'Vous cherchez une page ?',
    pageHelp: 'Saisissez le lien court en entier, y compris la partie après la barre oblique.',
    unsure: 'Vous ne savez pas où mène un lien ?',
    unsureHelp: 'Ajoutez {plus} à la fin d’un lien court pour voir la destination sans l’ouvrir.',
    making: 'Vous voulez créer des liens courts ?',
    docs: 'documentation',
    docsHelp: 'Consultez la {docs}. Vous pouvez y essayer tous les appels d’API.',
    api: 'description de l’API',
    apiHelp: 'Les programmes peuvent lire la {api}.',
  },
  about: 'À propos de ces liens courts',
  preview: {
    title: 'Aperçu de {code}',
    heading: 'Ce lien redirige vers {host}',
    text: 'Le lien court {code} redirige vers cette URL :',
    template: 'La destination de {code} est complétée par le texte qui suit le lien court :',
    go: 'Continuer vers {host}',
    made: 'Créé le {date}.',
  },
};
