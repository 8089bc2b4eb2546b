import { by, type Family, one } from './family.ts';

/** Metrics of the service as a whole, and of what its operator has to look at. */
export const service: readonly Family[] = [
  {
    name: 'linkfold_ready',
    type: 'gauge',
    across: 'min',
    help: '1 when /readyz says so, else 0.',
    rows: ({ ready }) => one(Number(ready)),
  },
  {
    name: 'linkfold_workers',
    type: 'gauge',
    help: 'Processes that serve on the port; fewer than WORKERS while one that ended is being replaced.',
    rows: ({ workers }) => one(workers.serving),
  },
  {
    name: 'linkfold_worker_crashes_total',
    type: 'counter',
    help: 'Workers that ended without being told to.',
    rows: ({ workers }) => one(workers.crashes),
  },
  {
    name: 'linkfold_event_loop_delay_seconds',
    type: 'gauge',
    across: 'max',
    help: 'How late the event loop was since the last scrape, by quantile.',
    rows: ({ eventLoopDelay }) => by('quantile', eventLoopDelay),
  },
  {
    name: 'linkfold_last_backup_timestamp_seconds',
    type: 'gauge',
    across: 'max',
    help: 'When the last backup was finished, in seconds since the epoch; absent when none is known of.',
    rows: ({ backedUpAt }) => (backedUpAt === undefined ? [] : one(backedUpAt / 1_000)),
  },
  {
    name: 'linkfold_block_list_hosts',
    type: 'gauge',
    across: 'max',
    help: 'Hosts of each block list; 0 while it could never be loaded, so that no link is checked against it.',
    rows: ({ blockLists }) =>
      by(
        'list',
        blockLists.map(({ name, hosts }) => [name, hosts]),
      ),
  },
  {
    name: 'linkfold_block_list_loaded_timestamp_seconds',
    type: 'gauge',
    across: 'max',
    help: 'When the source of each block list was read last, in seconds since the epoch; 0 for never since the start.',
    rows: ({ blockLists }) =>
      by(
        'list',
        blockLists.map(({ name, loadedAt = 0 }) => [name, loadedAt / 1_000]),
      ),
  },
  {
    name: 'linkfold_listed_links',
    type: 'gauge',
    across: 'max',
    help: 'Live links, folders and brandings that lead to a host of a block list, by the last check; absent before one.',
    rows: ({ listedLinks }) => (listedLinks === undefined ? [] : one(listedLinks)),
  },
  {
    name: 'linkfold_destination_looks_total',
    type: 'counter',
    help: 'Looks at destinations of links, by what was found: unknown where they must not be reached.',
    rows: ({ destinationLooks }) => by('result', Object.entries(destinationLooks)),
  },
  {
    name: 'linkfold_failing_destinations',
    type: 'gauge',
    across: 'max',
    help: 'Links whose destination fails, by the last round of looks; absent before one.',
    rows: ({ failingDestinations }) => (failingDestinations === undefined ? [] : one(failingDestinations)),
  },
  {
    name: 'linkfold_webhook_requests_total',
    type: 'counter',
    help: 'Requests to webhooks, by how they ended: delivered, refused by the answer, or unanswered.',
    rows: ({ webhooks }) => by('result', Object.entries(webhooks)),
  },
  {
    name: 'linkfold_certificates',
    type: 'gauge',
    across: 'max',
    help: 'Certificates in use for HTTPS, those of domains and that of TLS_CERT; absent without HTTPS_PORT.',
    rows: ({ certificates }) => (certificates === undefined ? [] : one(certificates.held)),
  },
  {
    name: 'linkfold_failing_certificates',
    type: 'gauge',
    across: 'max',
    help: 'Hosts whose certificate could not be ordered or renewed at the last try.',
    rows: ({ certificates }) => (certificates === undefined ? [] : one(certificates.failing)),
  },
  {
    name: 'linkfold_waiting_certificates',
    type: 'gauge',
    across: 'max',
    help: 'Hosts without a certificate whose order is under way, or waits because of ACME_ORDERS or ACME_ACCOUNT_ORDERS.',
    rows: ({ certificates }) => (certificates === undefined ? [] : one(certificates.waiting)),
  },
  {
    name: 'linkfold_certificate_expiry_timestamp_seconds',
    type: 'gauge',
    across: 'min',
    help: 'When the first of the certificates ends, in seconds since the epoch; absent while there is none.',
    rows: ({ certificates }) =>
      certificates?.firstExpiresAt == null ? [] : one(certificates.firstExpiresAt / 1_000),
  },
  {
    name: 'linkfold_build_info',
    type: 'gauge',
    across: 'max',
    help: 'Always 1; the version of the program is its label.',
    rows: ({ version }) => [{ labels: { version }, value: 1 }],
  },
];
