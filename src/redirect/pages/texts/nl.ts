import type { PageTexts } from './en.ts';

export const nl: PageTexts = {
  notFound: {
    title: 'Deze link bestaat niet',
    nothing: 'Op dit adres is niets te vinden.',
    code: 'De korte link {code} bestaat hier niet. Vergelijk hem letter voor letter met het origineel of vraag om een nieuwe. Hoofdletters en kleine letters maken geen verschil.',
  },
  expired: {
    title: 'Deze link is verlopen',
    text: 'De eigenaar had een einddatum ingesteld. Vraag om een nieuwe link.',
  },
  notStarted: {
    title: 'Deze link werkt nog niet',
    text: 'De eigenaar heeft een begindatum ingesteld. Kom later terug.',
  },
  exhausted: {
    title: 'Deze link is opgebruikt',
    text: 'De eigenaar heeft het aantal bezoeken beperkt. Vraag om een nieuwe link.',
  },
  unavailable: {
    title: 'Deze link is niet beschikbaar',
    text: 'De eigenaar heeft hem uitgeschakeld of biedt hem hier niet aan.',
  },
  unfilled: {
    title: 'Er ontbreekt iets achter deze link',
    text: 'Achter de korte link moet nog iets staan, zoals een woord of een getal: /link/woord. Vraag ernaar waar je hem vandaan hebt.',
  },
  refused: {
    title: 'Dit adres is niet toegestaan',
    text: 'Wat achter de korte link staat, geeft een adres waarnaar hij niet mag doorverwijzen.',
  },
  tooLong: {
    title: 'Dit adres is te lang',
    text: 'Met wat achter de korte link staat, wordt het adres van de bestemming te lang. Gebruik minder.',
  },
  once: {
    title: 'Deze link werkt maar één keer',
    text: 'Je wordt doorgestuurd als je op de knop drukt, en daarna nooit meer. Wilde je alleen kijken, sluit dan deze pagina.',
  },
  password: {
    title: 'Deze link heeft een wachtwoord',
    text: 'Vul het in om verder te gaan. Weet je het niet, vraag het dan aan degene van wie je de link hebt.',
    label: 'Wachtwoord',
    wrong: 'Het wachtwoord klopt niet. Hoofdletters en kleine letters maken verschil.',
  },
  continue: 'Doorgaan',
  contact: 'Contact: {contact}',
  failed: { title: 'Dat is niet gelukt', status: 'Fout {status}' },
  root: {
    title: 'Korte links',
    heading: 'Hier wonen korte links',
    text: 'Elke link verwijst door naar een adres dat de eigenaar heeft gekozen.',
    page: 'Op zoek naar een pagina?',
    pageHelp: 'Typ de volledige korte link. Het deel na de schuine streep bepaalt waar je terechtkomt.',
    unsure: 'Twijfel je over een link?',
    unsureHelp: 'Zet er een {plus} achter. Dan zie je waar hij heen gaat, zonder erheen te gaan.',
    making: 'Zelf korte links maken?',
    docs: 'documentatie',
    docsHelp: 'De {docs} laat zien hoe, met elke aanroep om uit te proberen.',
    api: 'beschrijving van de API',
    apiHelp: 'De {api} legt het uit aan programma’s.',
  },
  about: 'Over deze korte links',
  preview: {
    title: 'Waar {code} heen gaat',
    heading: 'Deze link gaat naar {host}',
    text: 'De korte link {code} gaat naar dit adres:',
    template: 'De bestemming van {code} wordt aangevuld met wat achter de korte link staat:',
    go: 'Naar {host}',
    made: 'Gemaakt op {date}.',
  },
};
