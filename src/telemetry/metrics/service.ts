import { by, type Family, one } from './family.ts';

/** Metrics for the whole service, for the operator's monitoring. */
export const service: readonly Family[] = [
  {
    name: 'linkfold_ready',
    type: 'gauge',
    across: 'min',
    help: '1 if /readyz reports ready, else 0.',
    rows: ({ ready }) => one(Number(ready)),
  },
  {
    name: 'linkfold_workers',
    type: 'gauge',
    help: 'Worker processes that accept connections; below WORKERS while one is being replaced.',
    rows: ({ workers }) => one(workers.serving),
  },
  {
    name: 'linkfold_worker_crashes_total',
    type: 'counter',
    help: 'Workers that exited unexpectedly.',
    rows: ({ workers }) => one(workers.crashes),
  },
  {
    name: 'linkfold_event_loop_delay_seconds',
    type: 'gauge',
    across: 'max',
    help: 'Event loop delay since the last scrape, by percentile: 50, 99 or 100.',
    rows: ({ eventLoopDelay }) => by('percentile', eventLoopDelay),
  },
  {
    name: 'linkfold_last_backup_timestamp_seconds',
    type: 'gauge',
    across: 'max',
    help: 'Time of the last completed backup, in seconds since the epoch; absent if there is none.',
    rows: ({ backedUpAt }) => (backedUpAt === undefined ? [] : one(backedUpAt / 1_000)),
  },
  {
    name: 'linkfold_backup_failures_total',
    type: 'counter',
    help: 'Failed scheduled backups.',
    rows: ({ backupFailures }) => one(backupFailures),
  },
  {
    name: 'linkfold_block_list_hosts',
    type: 'gauge',
    across: 'max',
    help: 'Hosts in each block list; 0 if it was never loaded, in which case links are not checked against it.',
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
    help: 'Time each block list was last read from its source, in seconds since the epoch; 0 if not since startup.',
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
    help: 'Live links, folders and brandings that redirect to a host on a block list, as of the last check; absent before the first one.',
    rows: ({ listedLinks }) => (listedLinks === undefined ? [] : one(listedLinks)),
  },
  {
    name: 'linkfold_destination_looks_total',
    type: 'counter',
    help: 'Destination checks, by result; unknown if the destination must not be contacted.',
    rows: ({ destinationChecks }) => by('result', Object.entries(destinationChecks)),
  },
  {
    name: 'linkfold_failing_destinations',
    type: 'gauge',
    across: 'max',
    help: 'Links with a failing destination, as of the last monitoring run; absent before the first one.',
    rows: ({ failingDestinations }) => (failingDestinations === undefined ? [] : one(failingDestinations)),
  },
  {
    name: 'linkfold_webhook_requests_total',
    type: 'counter',
    help: 'Webhook requests, by result: delivered, refused (by the response) or unanswered.',
    rows: ({ webhooks }) => by('result', Object.entries(webhooks)),
  },
  {
    name: 'linkfold_certificates',
    type: 'gauge',
    across: 'max',
    help: 'TLS certificates in use: those of domains and TLS_CERT; absent without HTTPS_PORT.',
    rows: ({ certificates }) => (certificates === undefined ? [] : one(certificates.held)),
  },
  {
    name: 'linkfold_failing_certificates',
    type: 'gauge',
    across: 'max',
    help: 'Hosts whose last certificate order or renewal failed.',
    rows: ({ certificates }) => (certificates === undefined ? [] : one(certificates.failing)),
  },
  {
    name: 'linkfold_waiting_certificates',
    type: 'gauge',
    across: 'max',
    help: 'Hosts without a certificate whose order is in progress, or waiting because of ACME_ORDERS or ACME_ACCOUNT_ORDERS.',
    rows: ({ certificates }) => (certificates === undefined ? [] : one(certificates.waiting)),
  },
  {
    name: 'linkfold_certificate_expiry_timestamp_seconds',
    type: 'gauge',
    across: 'min',
    help: 'Earliest certificate expiry, in seconds since the epoch; absent if there is no certificate.',
    rows: ({ certificates }) =>
      certificates?.firstExpiresAt == null ? [] : one(certificates.firstExpiresAt / 1_000),
  },
  {
    name: 'linkfold_build_info',
    type: 'gauge',
    across: 'max',
    help: 'Always 1; the program version is a label.',
    rows: ({ version }) => [{ labels: { version }, value: 1 }],
  },
];
