/** What is asked of the databases of other services, by their own schemas; docs/moving-in.md has those of MySQL. */
export const selects: Readonly<Record<string, { readonly links: string; readonly clicks?: string }>> = {
  'chhoto-url': { links: 'SELECT short_url, long_url, hits, expiry_time, notes FROM urls ORDER BY id' },
  kutt: {
    links:
      'SELECT links.id, links.address, links.description, links.target, links.banned, links.password, links.expire_in, links.visit_count, links.created_at, domains.address AS domain FROM links LEFT JOIN domains ON domains.id = links.domain_id ORDER BY links.id',
    clicks: 'SELECT * FROM visits ORDER BY id',
  },
};
