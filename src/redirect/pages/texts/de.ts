import type { PageTexts } from './en.ts';

export const de: PageTexts = {
  notFound: {
    title: 'Link nicht gefunden',
    nothing: 'Diese Seite gibt es nicht.',
    code: 'Den Kurzlink {code} gibt es hier nicht. Prüfen Sie ihn auf Tippfehler, oder bitten Sie die Person, die ihn geteilt hat, um einen neuen Link. Groß- und Kleinschreibung spielt keine Rolle.',
    create: 'Diesen Link erstellen',
  },
  notStarted: {
    title: 'Dieser Link ist noch nicht aktiv',
    text: 'Für diesen Link ist ein Startdatum festgelegt. Versuchen Sie es später erneut.',
  },
  exhausted: {
    title: 'Das Klicklimit dieses Links ist erreicht',
    text: 'Bitten Sie die Person, die ihn geteilt hat, um einen neuen Link.',
  },
  unavailable: {
    title: 'Dieser Link ist nicht verfügbar',
    text: 'Er wurde deaktiviert oder ist nicht für alle Besucher verfügbar.',
  },
  unfilled: {
    title: 'Dieser Link ist unvollständig',
    text: 'Hängen Sie ein Wort oder eine Zahl an den Kurzlink an, etwa /link/wort. Fragen Sie die Person, die ihn geteilt hat, was Sie anhängen müssen.',
  },
  refused: {
    title: 'Diese URL ist nicht erlaubt',
    text: 'Mit dem Text nach dem Kurzlink ergibt sich eine URL, zu der dieser Link nicht weiterleiten darf.',
  },
  tooLong: {
    title: 'Diese URL ist zu lang',
    text: 'Mit dem Text nach dem Kurzlink ist die Ziel-URL zu lang. Verwenden Sie weniger Text.',
  },
  once: {
    title: 'Sie können diesen Link nur einmal verwenden',
    text: 'Klicken Sie auf die Schaltfläche, um das Ziel zu öffnen. Danach funktioniert der Link nicht mehr. Um ihn später zu verwenden, schließen Sie diese Seite.',
  },
  exclude: {
    title: 'Eigene Besuche ausschließen?',
    text: 'Kurzlinks funktionieren weiterhin, aber Besuche aus diesem Browser werden für Ihr Konto nicht mehr gezählt.',
  },
  count: {
    title: 'Eigene Besuche wieder zählen?',
    text: 'Besuche aus diesem Browser werden für Ihr Konto wieder gezählt.',
  },
  password: {
    title: 'Dieser Link ist passwortgeschützt',
    text: 'Geben Sie das Passwort ein, um fortzufahren. Wenn Sie es nicht kennen, fragen Sie die Person, die den Link geteilt hat.',
    label: 'Passwort',
    wrong: 'Falsches Passwort. Achten Sie auf Groß- und Kleinschreibung.',
  },
  app: {
    title: 'In der App öffnen?',
    text: 'Dieser Link lässt sich in einer App öffnen. Ist die App nicht installiert, öffnen Sie ihn im Web.',
    open: 'App öffnen',
    store: 'App herunterladen',
    web: 'Weiter zu {host}',
  },
  failed: { title: 'Etwas ist schiefgelaufen', status: 'Fehler {status}' },
  root: {
    title: 'Kurzlinks',
    heading: 'Dies ist ein Kurzlink-Dienst',
    text: 'Jeder Kurzlink leitet zu einer URL weiter, die sein Inhaber festgelegt hat.',
    page: 'Suchen Sie eine Seite?',
    pageHelp: 'Geben Sie den vollständigen Kurzlink ein, einschließlich des Teils nach dem Schrägstrich.',
    unsure: 'Unsicher, wohin ein Link führt?',
    unsureHelp: 'Hängen Sie {plus} an einen Kurzlink an, um das Ziel zu sehen, ohne es zu öffnen.',
    making: 'Möchten Sie Kurzlinks erstellen?',
    docs: 'Dokumentation',
    docsHelp: 'Die {docs} zeigt, wie es geht. Dort können Sie alle API-Aufrufe ausprobieren.',
    api: 'API-Beschreibung',
    apiHelp: 'Programme können die {api} lesen.',
  },
  about: 'Über diese Kurzlinks',
  preview: {
    title: 'Vorschau von {code}',
    heading: 'Dieser Link leitet zu {host} weiter',
    text: 'Der Kurzlink {code} leitet zu dieser URL weiter:',
    template: 'Das Ziel von {code} wird mit dem Text nach dem Kurzlink ergänzt:',
    go: 'Weiter zu {host}',
    made: 'Erstellt am {date}.',
  },
};
