import type { PageTexts } from './en.ts';

export const it: PageTexts = {
  notFound: {
    title: 'Questo link non esiste',
    nothing: 'A questo indirizzo non c’è nulla.',
    code: 'Qui non esiste il link breve {code}. Confrontalo lettera per lettera con l’originale o chiedine uno nuovo. Maiuscole e minuscole non fanno differenza.',
  },
  expired: {
    title: 'Questo link è scaduto',
    text: 'Il proprietario aveva impostato una data di scadenza. Chiedigli un nuovo link.',
  },
  notStarted: {
    title: 'Questo link non è ancora attivo',
    text: 'Il proprietario ha impostato una data di inizio. Torna più tardi.',
  },
  exhausted: {
    title: 'Questo link è esaurito',
    text: 'Il proprietario ha limitato il numero di visite. Chiedigli un nuovo link.',
  },
  unavailable: {
    title: 'Questo link non è disponibile',
    text: 'Il proprietario lo ha disattivato o non lo offre qui.',
  },
  unfilled: {
    title: 'Manca qualcosa dopo questo link',
    text: 'Dopo il link breve serve qualcos’altro, come una parola o un numero: /link/parola. Chiedi a chi te l’ha dato.',
  },
  refused: {
    title: 'Questo indirizzo non è consentito',
    text: 'Quello che segue il link breve forma un indirizzo verso cui non può reindirizzare.',
  },
  tooLong: {
    title: 'Questo indirizzo è troppo lungo',
    text: 'Con quello che segue il link breve, l’indirizzo di destinazione è troppo lungo. Usa meno testo.',
  },
  once: {
    title: 'Questo link funziona una volta sola',
    text: 'Ti reindirizza quando premi il pulsante, e poi mai più. Se volevi solo dare un’occhiata, chiudi questa pagina.',
  },
  password: {
    title: 'Questo link è protetto da password',
    text: 'Inseriscila per continuare. Se non la conosci, chiedila a chi ti ha dato il link.',
    label: 'Password',
    wrong: 'La password non è corretta. Maiuscole e minuscole fanno differenza.',
  },
  continue: 'Continua',
  contact: 'Contatto: {contact}',
  failed: { title: 'Qualcosa è andato storto', status: 'Errore {status}' },
  root: {
    title: 'Link brevi',
    heading: 'Qui abitano i link brevi',
    text: 'Ognuno porta a un indirizzo scelto dal suo proprietario.',
    page: 'Cerchi una pagina?',
    pageHelp: 'Scrivi il link breve per intero. La parte dopo la barra indica la destinazione.',
    unsure: 'Hai dubbi su un link?',
    unsureHelp: 'Aggiungi un {plus} alla fine. Vedrai dove porta senza aprirlo.',
    making: 'Vuoi creare link brevi?',
    docs: 'documentazione',
    docsHelp: 'La {docs} spiega come fare, con ogni chiamata da provare.',
    api: 'descrizione dell’API',
    apiHelp: 'La {api} lo spiega ai programmi.',
  },
  about: 'Informazioni su questi link brevi',
  preview: {
    title: 'Dove porta {code}',
    heading: 'Questo link porta a {host}',
    text: 'Il link breve {code} porta a questo indirizzo:',
    template: 'La destinazione di {code} viene completata con quello che segue il link breve:',
    go: 'Vai a {host}',
    made: 'Creato il {date}.',
  },
};
