/** SQL queries for the databases of other services; docs/importing.md contains the queries for MySQL. */
export const selects: Readonly<Record<string, { readonly links: string; readonly clicks?: string }>> = {
  'chhoto-url': { links: 'SELECT * FROM urls ORDER BY id' },
  golink: {
    links: 'SELECT Short, Long, Created, Owner FROM Links ORDER BY ID',
    clicks: 'SELECT ID, Created, Clicks FROM Stats ORDER BY Created',
  },
  kutt: {
    links:
      'SELECT links.id, links.address, links.description, links.target, links.banned, links.password, links.expire_in, links.visit_count, links.created_at, domains.address AS domain FROM links LEFT JOIN domains ON domains.id = links.domain_id ORDER BY links.id',
    clicks: 'SELECT * FROM visits ORDER BY id',
  },
  umami: {
    links: 'SELECT link_id, slug, url, name, created_at, deleted_at FROM link ORDER BY created_at, link_id',
    clicks:
      'SELECT e.website_id AS link_id, e.created_at, e.referrer_domain, s.browser, s.os, s.device, s.country, s.region, s.language FROM website_event e JOIN link ON link.link_id = e.website_id LEFT JOIN session s ON s.session_id = e.session_id WHERE e.event_type NOT IN (2, 5) ORDER BY e.created_at',
  },
};
