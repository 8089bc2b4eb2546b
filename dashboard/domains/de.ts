import { count } from '../texts/format.ts';
import type { en } from './en.ts';

export const de: typeof en = {
  domains: {
    title: 'Domains',
    about:
      'Verwenden Sie Ihre eigene Domain für Kurzlinks, etwa go.ihre-marke.de. Fügen Sie zwei DNS-Einträge hinzu, um die Inhaberschaft zu bestätigen und Besucher hierher zu leiten.',
    add: 'Domain hinzufügen',
    none: 'Noch keine eigenen Domains',
    noneMore: (host) =>
      `Ihre Links verwenden ${host}. Besucher vertrauen Links auf Ihrer eigenen Domain mehr. Die Einrichtung dauert wenige Minuten.`,
    name: 'Domain',
    status: 'Status',
    links: 'Links',
    linkCount: (n) => count(n, 'Link', 'Links'),
    isDefault: 'Standard',
    shared: 'von allen Konten auf diesem Server genutzt',
    failed: 'Die Domains konnten nicht geladen werden',
    none404: 'Domain nicht gefunden',
    back: 'Domains',
    lacks: 'Ihnen fehlt die Berechtigung, Domains zu verwalten.',
    makeDefault: 'Als Standard festlegen',
    madeDefault: (host) => `${host} ist jetzt die Standarddomain für neue Links`,
    statuses: {
      pending: 'DNS ausstehend',
      active: 'Aktiv',
      incomplete: 'DNS-Eintrag fehlt',
      failing: 'DNS-Einträge fehlen',
    },
    statusMore: {
      pending:
        'Kurzlinks auf dieser Domain funktionieren noch nicht. Sie wird aktiv, sobald der erste DNS-Eintrag gefunden wird.',
      active: 'Kurzlinks auf dieser Domain funktionieren.',
      activeMissing:
        'Inhaberschaft bestätigt. Links funktionieren, sobald der zweite DNS-Eintrag gefunden wird.',
      failing:
        'Ein DNS-Eintrag fehlt seit drei Tagen. Manche Besucher erreichen diese Domain möglicherweise nicht mehr. Fügen Sie den Eintrag wieder hinzu.',
    },
    certificate: 'Zertifikat',
    certificateUntil: (when) => `Zertifikat gültig bis ${when}`,
    certificateWaits: 'Noch kein Zertifikat',
    certificateFails:
      'Das Zertifikat konnte nicht ausgestellt oder erneuert werden. Linkfold versucht es automatisch erneut.',
    nowActive: (host) => `${host} ist aktiv`,

    host: 'Domain',
    hostHelp:
      'Wir empfehlen eine Subdomain, etwa go.example.com. Ihre Website auf example.com bleibt unverändert.',
    hostWhole: (host) =>
      `Das ist eine Hauptdomain. Eine Website darauf wäre nicht mehr erreichbar. Verwenden Sie eine Subdomain wie go.${host}, um sie zu behalten.`,
    hostWrong: 'Geben Sie eine Domain wie go.example.com ein, ohne Port, Pfad oder Platzhalter.',
    addHost: 'Domain hinzufügen',

    records: 'DNS-Einträge',
    recordsAbout:
      'Fügen Sie beide Einträge bei Ihrem DNS-Anbieter hinzu. Behalten Sie die voreingestellte TTL bei.',
    purposes: {
      ownership: '1 · Bestätigt die Inhaberschaft',
      traffic: '2 · Leitet Besucher zu diesem Server',
    },
    type: 'Typ',
    recordName: 'Name',
    value: 'Wert',
    copyName: (type) => `Namen des ${type}-Eintrags kopieren`,
    copyValue: (type) => `Wert des ${type}-Eintrags kopieren`,
    states: {
      waiting: 'Noch nicht geprüft',
      found: 'Gefunden',
      missing: 'Nicht gefunden',
      wrong: 'Falscher Wert',
      silent: 'Keine Antwort',
    },
    foundInstead: 'Stattdessen gefunden',
    advice: {
      'this-machine':
        'BASE_URL ist eine Adresse, die nur dieser Rechner erreicht. Daher kann DNS keine Besucher hierher leiten. Setzen Sie sie auf die öffentliche URL dieses Servers, oder bitten Sie den Betreiber darum.',
      'private-network':
        'Das ist eine private Adresse, die Besucher aus dem Internet nicht erreichen. Um sie öffentlich zu machen, setzen Sie BASE_URL auf die öffentliche URL dieses Servers, oder bitten Sie den Betreiber darum.',
      set: 'Neue Einträge sind meist nach wenigen Minuten sichtbar, selten erst nach einem Tag. Falls Sie ihn schon hinzugefügt haben: Viele Anbieter hängen die Domain automatisch an den Namen an. Geben Sie den Namen dann ohne Domain ein.',
      wholeDomain:
        'Die meisten Anbieter erlauben keinen CNAME-Eintrag auf einer Hauptdomain. Verwenden Sie ALIAS, ANAME oder CNAME-Flattening, oder fügen Sie A- und AAAA-Einträge mit den IP-Adressen des Servers hinzu.',
      quoted: 'Der Wert enthält die Anführungszeichen. Geben Sie ihn ohne sie ein.',
      otherProof:
        'Dieser Wert gehört zu einem anderen Konto oder ist veraltet. Ersetzen Sie ihn durch den Wert oben.',
      otherHost: 'Der Eintrag verweist auf einen anderen Server. Ersetzen Sie ihn durch den Wert oben.',
      addresses:
        'Der Name verweist auf IP-Adressen, unter denen dieser Server nicht antwortet. Stellen Sie den Eintrag bei Cloudflare auf „Nur DNS“ (graue Wolke), oder lassen Sie den Proxy an, wenn der Eintrag den Wert oben hat. Entfernen Sie bei anderen Anbietern die A- und AAAA-Einträge dieses Namens, und deaktivieren Sie Weiterleitung oder Parking.',
      silent:
        'Die Nameserver der Domain haben nicht geantwortet. Versuchen Sie es später erneut, oder wenden Sie sich an Ihren DNS-Anbieter.',
    },
    checkNow: 'Jetzt prüfen',
    checked: (when) => `Zuletzt geprüft: ${when}.`,
    watching:
      'Diese Seite aktualisiert sich automatisch. Sie können sie schließen: Linkfold prüft 30 Tage lang weiter.',
    watchingHourly: 'Diese Seite aktualisiert sich automatisch. Linkfold prüft stündlich.',
    watchingDaily: 'Linkfold prüft täglich.',
    allFound: 'Beide Einträge gefunden.',
    provenByOperator:
      'Ein Betreiber hat diese Domain bestätigt. Linkfold prüft nur den Eintrag, der Besucher hierher leitet.',
    tryIt: 'Link erstellen',

    settings: 'Einstellungen',
    rootUrl: 'Weiterleitung für /',
    rootHelp:
      'Leitet Besucher weiter, die die Domain ohne Code öffnen. Ohne URL sehen sie eine einfache Seite.',
    unknownUrl: 'Weiterleitung für unbekannte Codes',
    unknownHelp:
      'Leitet Besucher unbekannter Codes weiter; {code} wird durch den Code ersetzt. Ohne URL sehen sie eine Fehlerseite.',
    expiredUrl: 'Weiterleitung für abgelaufene Links',
    expiredHelp:
      'Besucher abgelaufener Links werden hierhin weitergeleitet, sofern weder der Link noch sein Ordner eine eigene URL hat.',
    codes: 'Groß- und Kleinschreibung in Codes',
    codeModes: { folded: 'Ignorieren', exact: 'Unterscheiden' },
    codesHelp: {
      folded: '/Sale und /sale sind derselbe Link. Ideal für Links, die abgetippt werden.',
      exact:
        '/Sale und /sale sind verschiedene Links, und Codes können fast jedes Zeichen enthalten. Ideal für Links, die aus einem anderen Dienst importiert werden.',
    },
    codesFixed: 'Sie können das nur ändern, bevor der erste Code auf der Domain erstellt wird.',
    indexed: 'Suchmaschinen das Crawlen der Kurzlinks erlauben',
    indexedHelp: 'Wenn deaktiviert, bittet robots.txt Suchmaschinen, sie nicht zu crawlen.',
    golinks: 'Golinks',
    golinksHelp:
      '/on-call und /oncall sind derselbe Link, und Mitglieder können auf der Seite für unbekannte Codes Links erstellen.',
    golinksSame: (one, other) =>
      `Die Codes ${one} und ${other} wären identisch. Ändern oder löschen Sie zuerst einen davon.`,
    golinksExact: 'Golinks erfordern Codes, die Groß- und Kleinschreibung ignorieren.',
    apps: 'App-Links',
    appsHelp:
      'Für App-Entwickler: die JSON-Dateien, die diese Domain unter /.well-known/ bereitstellt, damit sich ihre Links in Ihrer App öffnen.',
    apple: 'apple-app-site-association',
    appleHelp: 'Für iOS und macOS: ein JSON-Objekt.',
    android: 'assetlinks.json',
    androidHelp: 'Für Android: ein JSON-Array.',
    noJson: 'Ungültiges JSON. Prüfen Sie Kommas, Anführungszeichen und Klammern.',
    fileRefused: (why) => `Der Server hat diese Datei abgelehnt: ${why}`,
    saved: (host) => `Einstellungen für ${host} gespeichert`,

    delete: 'Domain löschen',
    deleteTitle: (host) => `${host} löschen?`,
    deleteHelp:
      'Ihre Kurzlinks funktionieren sofort nicht mehr. Die Codes bleiben für dieses Konto reserviert, falls Sie die Domain erneut hinzufügen. Die beiden DNS-Einträge können Sie danach entfernen.',
    deleteInUse: (n) =>
      `${count(n, 'Link verwendet', 'Links verwenden')} diese Domain. Verschieben Sie ${n === 1 ? 'ihn' : 'sie'} zuerst in den Papierkorb oder auf eine andere Domain.`,
    showLinks: 'Links anzeigen',
    deleted: (host) => `${host} gelöscht`,
    errors: {
      DOMAIN_TAKEN: 'Diese Domain wird bereits von diesem oder einem anderen Konto verwendet.',
      DOMAIN_IN_USE: 'Links oder Codes verwenden diese Domain noch.',
      DOMAIN_NOT_ACTIVE: 'Diese Domain ist noch nicht bestätigt.',
      LIMIT_REACHED: 'Dieses Konto hat sein Domainlimit erreicht.',
    },
    takenBy:
      'Ein anderes Konto auf diesem Server hat diese Domain bereits bestätigt. Wenn sie Ihnen gehört, bitten Sie einen Inhaber dieses Kontos oder den Betreiber, sie dort zu löschen.',
  },

  golink: {
    title: (name) => `${name} gibt es noch nicht`,
    about: 'Erstellen Sie den Link, oder wählen Sie einen ähnlichen, falls Sie sich vertippt haben.',
    create: 'Link erstellen',
    near: 'Ähnliche Links',
    notYours: 'Diese Domain gehört nicht zu Ihrem Konto',
  },
};
