import type { PageTexts } from './en.ts';

export const nl: PageTexts = {
  notFound: {
    title: 'Link niet gevonden',
    nothing: 'Deze pagina bestaat niet.',
    code: 'De korte link {code} bestaat hier niet. Controleer of hij goed is gespeld of vraag een nieuwe link aan degene die hem heeft gedeeld. Hoofdletters en kleine letters maken geen verschil.',
    create: 'Deze link maken',
  },
  notStarted: {
    title: 'Deze link is nog niet actief',
    text: 'De eigenaar heeft een begindatum ingesteld. Probeer het later opnieuw.',
  },
  exhausted: {
    title: 'Deze link heeft de kliklimiet bereikt',
    text: 'Vraag een nieuwe link aan degene die hem heeft gedeeld.',
  },
  unavailable: {
    title: 'Deze link is niet beschikbaar',
    text: 'De eigenaar heeft de link uitgeschakeld of beperkt wie hem kan openen.',
  },
  unfilled: {
    title: 'Deze link is onvolledig',
    text: 'Voeg een woord of getal toe na de korte link, bijvoorbeeld /link/woord. Vraag degene die hem heeft gedeeld wat je moet toevoegen.',
  },
  refused: {
    title: 'Deze URL is niet toegestaan',
    text: 'Met de tekst na de korte link is de bestemming een URL waarnaar deze link niet mag doorverwijzen.',
  },
  tooLong: {
    title: 'Deze URL is te lang',
    text: 'Met de tekst na de korte link is de bestemmings-URL te lang. Gebruik minder tekst.',
  },
  once: {
    title: 'Je kunt deze link maar één keer gebruiken',
    text: 'Klik op de knop om de bestemming te openen. Daarna werkt de link niet meer. Sluit deze pagina als je hem later wilt gebruiken.',
  },
  exclude: {
    title: 'Je eigen bezoeken uitsluiten?',
    text: 'Korte links sturen nog steeds door, maar bezoeken van deze browser tellen niet meer mee voor je account.',
  },
  count: {
    title: 'Je eigen bezoeken weer meetellen?',
    text: 'Bezoeken van deze browser tellen weer mee voor je account.',
  },
  password: {
    title: 'Deze link is beveiligd met een wachtwoord',
    text: 'Voer het wachtwoord in om door te gaan. Weet je het niet, vraag het dan aan degene die de link heeft gedeeld.',
    label: 'Wachtwoord',
    wrong: 'Onjuist wachtwoord. Let op hoofdletters en kleine letters.',
  },
  app: {
    title: 'Openen in de app?',
    text: 'Deze link opent in een app. Ga verder op het web als je de app niet hebt.',
    open: 'App openen',
    store: 'App downloaden',
    web: 'Doorgaan naar {host}',
  },
  failed: { title: 'Er is iets misgegaan', status: 'Fout {status}' },
  root: {
    title: 'Korte links',
    heading: 'Dit is een dienst voor korte links',
    text: 'Elke korte link verwijst door naar een URL die de eigenaar heeft gekozen.',
    page: 'Zoek je een pagina?',
    pageHelp: 'Voer de volledige korte link in, inclusief het deel na de schuine streep.',
    unsure: 'Weet je niet waar een link naartoe gaat?',
    unsureHelp: 'Zet {plus} achter een korte link om de bestemming te zien zonder die te openen.',
    making: 'Wil je korte links maken?',
    docs: 'documentatie',
    docsHelp: 'Bekijk de {docs}. Daar kun je alle API-aanroepen uitproberen.',
    api: 'API-beschrijving',
    apiHelp: 'Programma’s kunnen de {api} lezen.',
  },
  about: 'Over deze korte links',
  preview: {
    title: 'Voorbeeld van {code}',
    heading: 'Deze link verwijst door naar {host}',
    text: 'De korte link {code} verwijst door naar deze URL:',
    template: 'De bestemming van {code} wordt aangevuld met de tekst na de korte link:',
    go: 'Doorgaan naar {host}',
    made: 'Gemaakt op {date}.',
  },
};
