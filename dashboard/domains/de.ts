import { count } from '../texts/format.ts';
import type { en } from './en.ts';

export const de: typeof en = {
  domains: {
    title: 'Domains',
    about:
      'Hosts für eigene Kurzlinks, etwa go.eigene-marke.de. Zwei Einträge dort, wo der Name gekauft wurde, beweisen den Besitz und führen Besucher hierher.',
    add: 'Domain hinzufügen',
    none: 'Noch keine eigene Domain',
    noneMore: (host) =>
      `Links entstehen auf ${host}. Mit einem eigenen Namen sagen sie, von wem sie kommen. Das Einrichten dauert einige Minuten.`,
    name: 'Domain',
    status: 'Status',
    links: 'Links',
    linkCount: (n) => count(n, 'Link', 'Links'),
    isDefault: 'Standard',
    shared: 'für alle Konten dieses Servers',
    failed: 'Die Domains konnten nicht gelesen werden',
    none404: 'Diese Domain gibt es nicht',
    back: 'Domains',
    lacks: 'Diese Sitzung kann keine Domains verwalten. Ihrem Schlüssel fehlt das Recht „Domains verwalten“.',
    makeDefault: 'Zum Standard machen',
    madeDefault: (host) => `Neue Links entstehen auf ${host}, wenn keine andere Domain gewählt wird`,
    statuses: {
      pending: 'Wartet auf DNS',
      active: 'Aktiv',
      incomplete: 'Ein Eintrag fehlt',
      failing: 'Einträge fehlen',
    },
    statusMore: {
      pending:
        'Kurzlinks darauf antworten noch nicht. Die Domain wird aktiv, sobald der erste Eintrag gefunden ist.',
      active: 'Kurzlinks darauf antworten.',
      activeMissing:
        'Der Besitz ist bewiesen. Besucher kommen an, sobald auch der zweite Eintrag gefunden ist.',
      failing:
        'Ein Eintrag fehlt seit drei Tagen. Kurzlinks antworten noch allen, die ankommen. Mit dem Eintrag kommen wieder alle an.',
    },
    certificate: 'Zertifikat',
    certificateUntil: (when) => `Zertifikat bis ${when}`,
    certificateWaits: 'Noch kein Zertifikat',
    certificateFails: 'Noch nicht ausgestellt oder erneuert. Linkfold versucht es automatisch erneut.',
    nowActive: (host) => `${host} ist aktiv`,

    host: 'Host',
    hostHelp:
      'Am besten ein Teil vor einem eigenen Namen, etwa go.example.com: Die Website auf example.com bleibt, wie sie ist.',
    hostWhole: (host) =>
      `Das ist eine ganze Domain. Ihre Website würde stattdessen hierher führen: go.${host} lässt sie, wie sie ist.`,
    hostWrong: 'Ein Host hat mindestens zwei Teile, etwa go.example.com, ohne Port, Pfad und Stern.',
    addHost: 'Hinzufügen',

    records: 'DNS-Einträge',
    recordsAbout:
      'Beide dort setzen, wo der Name gekauft wurde oder sein DNS liegt, unter „DNS“ oder „Zone“. Die Lebensdauer (TTL) kann bleiben, wie sie ist.',
    purposes: {
      ownership: '1 · beweist, wem der Name gehört',
      traffic: '2 · führt Besucher hierher',
    },
    type: 'Typ',
    recordName: 'Name',
    value: 'Wert',
    copyName: (type) => `Namen des ${type}-Eintrags kopieren`,
    copyValue: (type) => `Wert des ${type}-Eintrags kopieren`,
    states: {
      waiting: 'Noch nicht nachgesehen',
      found: 'Gefunden',
      missing: 'Nicht da',
      wrong: 'Dort steht ein anderer Wert',
      silent: 'Keine Antwort',
    },
    foundInstead: 'Stattdessen gefunden',
    advice: {
      set: 'Neue Einträge sind meist nach Minuten zu sehen, selten erst nach einem Tag. Falls er schon gesetzt ist: Viele Anbieter ergänzen die Domain im Namen selbst, dort wird der Name ohne sie eingegeben.',
      wholeDomain:
        'Wenige Anbieter erlauben einen CNAME für eine ganze Domain. ALIAS, ANAME oder „CNAME flattening“ leisten dasselbe; sonst A- und AAAA-Einträge mit den Adressen des Werts setzen.',
      quoted: 'Die Anführungszeichen gehören dort zum Wert. Ohne sie setzen.',
      otherProof:
        'Das ist der Beweis eines anderen Kontos oder von früher. Den Wert oben an seine Stelle setzen.',
      otherHost:
        'Besucher werden anderswohin geführt. Den Wert oben an seine Stelle setzen; der Eintrag mit dem anderen geht.',
      addresses:
        'Dort stehen Adressen statt des Namens, und dieser Server antwortet dort nicht. Bei Cloudflare macht ein Klick die orange Wolke grau, „Nur DNS“; sie darf orange bleiben, wenn der Eintrag dahinter den Wert oben hat. Anderswo die A- und AAAA-Einträge dieses Namens entfernen und Weiterleitung oder Parken abschalten.',
      silent:
        'Die Nameserver der Domain haben nicht geantwortet. Das vergeht meist von selbst; sonst muss der Anbieter nachsehen.',
    },
    checkNow: 'Jetzt prüfen',
    checked: (when) => `Geprüft ${when}.`,
    watching:
      'Diese Seite sieht von selbst wieder nach und kann geschlossen werden: Der Server sieht 30 Tage lang weiter nach.',
    watchingHourly: 'Diese Seite sieht von selbst wieder nach, der Server jede Stunde.',
    watchingDaily: 'Der Server sieht täglich nach.',
    allFound: 'Beide Einträge sind da.',
    provenByOperator:
      'Ein Betreiber dieses Servers hat diese Domain bestätigt. Nur nach dem Eintrag für Besucher wird gesehen.',
    tryIt: 'Einen Link darauf anlegen',

    settings: 'Einstellungen',
    rootUrl: 'Wer den bloßen Host öffnet, kommt zu',
    rootHelp: 'Ohne Ziel erscheint eine schlichte Seite.',
    unknownUrl: 'Wer einen Code aufruft, den es nicht gibt, kommt zu',
    unknownHelp: '{code} steht für den Code. Ohne Ziel erscheint eine Seite, die es sagt.',
    expiredUrl: 'Wer zu einem Link kommt, der vorbei ist, kommt zu',
    expiredHelp: 'Wenn weder der Link noch sein Ordner sagt, wohin.',
    codes: 'Großbuchstaben in Codes',
    codeModes: { folded: 'Machen keinen Unterschied', exact: 'Machen einen Unterschied' },
    codesHelp: {
      folded: '/Sale und /sale sind ein Link. Richtig für Links, die jemand abtippt.',
      exact:
        '/Sale und /sale sind zwei Links, und Codes dürfen fast jede Form haben. Richtig für Links aus einem anderen Dienst.',
    },
    codesFixed: 'Das lässt sich nur wählen, solange auf der Domain noch nie ein Code entstand.',
    indexed: 'Suchmaschinen dürfen ihren Kurzlinks folgen',
    indexedHelp: 'Ausgeschaltet bittet ihre robots.txt darum, es nicht zu tun.',
    apps: 'Apps, die ihre Links öffnen',
    appsHelp:
      'Für Hersteller von Apps: was die Domain an zwei Adressen unter /.well-known/ antwortet, als JSON. Ohne sie öffnen Links im Browser.',
    apple: 'apple-app-site-association',
    appleHelp: 'Für Systeme von Apple: ein Objekt.',
    android: 'assetlinks.json',
    androidHelp: 'Für Android: eine Liste.',
    noJson: 'Das ist kein JSON. Kommas, Anführungszeichen und Klammern prüfen.',
    fileRefused: (why) => `Der Server hat es abgelehnt: ${why}`,
    saved: (host) => `Einstellungen von ${host} gesichert`,

    delete: 'Domain löschen',
    deleteTitle: (host) => `${host} löschen?`,
    deleteHelp:
      'Kurzlinks darauf antworten sofort nicht mehr. Codes von dort bleiben bei diesem Konto, falls die Domain zu ihm zurückkommt; für alle anderen beginnt sie leer. Die beiden DNS-Einträge können danach weg.',
    deleteInUse: (n) =>
      `${count(n, 'Link steht', 'Links stehen')} darauf. Vorher in den Papierkorb legen oder ihnen Codes auf einer anderen Domain geben.`,
    showLinks: 'Ihre Links zeigen',
    deleted: (host) => `${host} ist gelöscht`,
    errors: {
      DOMAIN_TAKEN: 'Dieser Host ist vergeben: Er ist schon eine Domain dieses oder eines anderen Kontos.',
      DOMAIN_IN_USE: 'Auf dieser Domain stehen Links oder Codes.',
      DOMAIN_NOT_ACTIVE: 'Diese Domain ist noch nicht bewiesen.',
      LIMIT_REACHED: 'Dieses Konto hat so viele Domains, wie es haben darf.',
    },
    takenBy:
      'Ein anderes Konto dieses Servers hat diesen Host zuerst bewiesen. Wem der Name gehört, der kann ihn dort löschen lassen.',
  },
};
