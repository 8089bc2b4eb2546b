import type { PageTexts } from './en.ts';

export const it: PageTexts = {
  notFound: {
    title: 'Link non trovato',
    nothing: 'Questa pagina non esiste.',
    code: 'Il link breve {code} non esiste qui. Controlla che sia scritto correttamente o chiedi un nuovo link a chi l’ha condiviso. Maiuscole e minuscole non fanno differenza.',
    create: 'Crea questo link',
  },
  notStarted: {
    title: 'Questo link non è ancora attivo',
    text: 'Il proprietario ha impostato una data di inizio. Riprova più tardi.',
  },
  exhausted: {
    title: 'Questo link ha raggiunto il limite di clic',
    text: 'Chiedi un nuovo link a chi l’ha condiviso.',
  },
  unavailable: {
    title: 'Questo link non è disponibile',
    text: 'Il proprietario lo ha disattivato o ha limitato chi può aprirlo.',
  },
  unfilled: {
    title: 'Questo link è incompleto',
    text: 'Aggiungi una parola o un numero dopo il link breve, ad esempio /link/parola. Chiedi a chi l’ha condiviso che cosa aggiungere.',
  },
  refused: {
    title: 'Questo URL non è consentito',
    text: 'Con il testo dopo il link breve, la destinazione è un URL a cui questo link non può reindirizzare.',
  },
  tooLong: {
    title: 'Questo URL è troppo lungo',
    text: 'Con il testo dopo il link breve, l’URL di destinazione è troppo lungo. Usa meno testo.',
  },
  once: {
    title: 'Puoi usare questo link una sola volta',
    text: 'Premi il pulsante per aprire la destinazione. Dopo, il link smetterà di funzionare. Per usarlo più tardi, chiudi questa pagina.',
  },
  exclude: {
    title: 'Escludere le tue visite?',
    text: 'I link brevi continuano a reindirizzare, ma le visite di questo browser non vengono più conteggiate per il tuo account.',
  },
  count: {
    title: 'Conteggiare di nuovo le tue visite?',
    text: 'Le visite di questo browser vengono di nuovo conteggiate per il tuo account.',
  },
  password: {
    title: 'Questo link è protetto da password',
    text: 'Inserisci la password per continuare. Se non la conosci, chiedila a chi ha condiviso il link.',
    label: 'Password',
    wrong: 'Password errata. Fai attenzione a maiuscole e minuscole.',
  },
  app: {
    title: 'Aprire nell’app?',
    text: 'Questo link si apre in un’app. Se l’app non è installata, continua sul web.',
    open: 'Apri l’app',
    store: 'Scarica l’app',
    web: 'Continua su {host}',
  },
  failed: { title: 'Si è verificato un errore', status: 'Errore {status}' },
  root: {
    title: 'Link brevi',
    heading: 'Questo è un servizio di link brevi',
    text: 'Ogni link breve reindirizza a un URL scelto dal suo proprietario.',
    page: 'Cerchi una pagina?',
    pageHelp: 'Inserisci il link breve completo, inclusa la parte dopo la barra.',
    unsure: 'Non sai dove porta un link?',
    unsureHelp: 'Aggiungi {plus} alla fine di un link breve per vedere la destinazione senza aprirla.',
    making: 'Vuoi creare link brevi?',
    docs: 'documentazione',
    docsHelp: 'Consulta la {docs}. Lì puoi provare tutte le chiamate API.',
    api: 'descrizione dell’API',
    apiHelp: 'I programmi possono leggere la {api}.',
  },
  about: 'Informazioni su questi link brevi',
  preview: {
    title: 'Anteprima di {code}',
    heading: 'Questo link reindirizza a {host}',
    text: 'Il link breve {code} reindirizza a questo URL:',
    template: 'La destinazione di {code} viene completata con il testo dopo il link breve:',
    go: 'Continua su {host}',
    made: 'Creato il {date}.',
  },
};
