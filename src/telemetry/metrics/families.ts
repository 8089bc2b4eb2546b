import { clickClasses } from '../../model/clicks/clicks.ts';
import { by, type Family, one } from './family.ts';
import { service } from './service.ts';

const statusClasses = [2, 4, 5] as const;

const requests: readonly Family[] = [
  {
    name: 'linkfold_redirects_total',
    type: 'counter',
    help: 'Requests for public paths, by outcome.',
    rows: ({ outcomes }) => by('outcome', Object.entries(outcomes)),
  },
  {
    name: 'linkfold_redirect_duration_seconds',
    type: 'histogram',
    help: 'Time from the first click of an event loop tick to the responses of that tick, counted once per click.',
    rows: ({ journal }) => one(journal.tickSeconds),
  },
  {
    name: 'linkfold_api_requests_total',
    type: 'counter',
    help: 'API responses, excluding shed requests, by endpoint and status class.',
    rows: ({ api }) =>
      Object.entries(api.routes).flatMap(([endpoint, { answers }]) =>
        statusClasses.map((digit) => ({
          labels: { endpoint, status: `${digit}xx` },
          value: answers[digit] ?? 0,
        })),
      ),
  },
  {
    name: 'linkfold_api_request_duration_seconds',
    type: 'histogram',
    help: 'Time from receiving an API request to its response, including queueing, by endpoint.',
    rows: ({ api }) =>
      by(
        'endpoint',
        Object.entries(api.routes).map(([endpoint, { seconds }]) => [endpoint, seconds] as const),
      ),
  },
  {
    name: 'linkfold_api_errors_total',
    type: 'counter',
    help: 'API error responses, by code.',
    rows: ({ api }) => by('code', Object.entries(api.errors)),
  },
  {
    name: 'linkfold_probes_total',
    type: 'counter',
    help: 'Health checks, by probe and result.',
    rows: ({ probes }) =>
      Object.entries(probes).flatMap(([probe, { ok, refused }]) => [
        { labels: { probe, result: 'ok' }, value: ok },
        { labels: { probe, result: 'refused' }, value: refused },
      ]),
  },
  {
    name: 'linkfold_refused_requests_total',
    type: 'counter',
    help: 'Requests rejected while parsing, before routing, by code.',
    rows: ({ refusals }) => by('code', refusals),
  },
  {
    name: 'linkfold_sheds_total',
    type: 'counter',
    help: 'API requests shed because of overload, by priority; the class storage counts writes rejected because the queue was full.',
    rows: ({ admission, storage: { refused } }) =>
      by('class', [...Object.entries(admission.refused), ['storage', refused]]),
  },
  {
    name: 'linkfold_queued_requests_total',
    type: 'counter',
    help: 'API requests that were queued, by priority.',
    rows: ({ admission }) => by('class', Object.entries(admission.queued)),
  },
  {
    name: 'linkfold_abandoned_requests_total',
    type: 'counter',
    help: 'API requests whose client had disconnected before they were processed, by priority.',
    rows: ({ admission }) => by('class', Object.entries(admission.abandoned)),
  },
  {
    name: 'linkfold_waiting_requests',
    type: 'gauge',
    help: 'API requests in the queue, by priority.',
    rows: ({ admission }) => by('class', Object.entries(admission.waiting)),
  },
  {
    name: 'linkfold_connections',
    type: 'gauge',
    help: 'Open connections to the main port.',
    rows: ({ connections }) => one(connections.open),
  },
  {
    name: 'linkfold_closed_connections_total',
    type: 'counter',
    help: 'Connections closed because of the connection limit (full) or a slow reader (slow_reader).',
    rows: ({ connections }) =>
      by('reason', [
        ['full', connections.refused],
        ['slow_reader', connections.slowReaders],
      ]),
  },
  {
    name: 'linkfold_unread_answer_bytes',
    type: 'gauge',
    help: 'Response bytes buffered for clients, sampled every second.',
    rows: ({ connections }) => one(connections.buffered),
  },
  {
    name: 'linkfold_event_streams',
    type: 'gauge',
    help: 'Open event streams.',
    rows: ({ eventStreams }) => one(eventStreams),
  },
];

const clicks: readonly Family[] = [
  {
    name: 'linkfold_clicks_total',
    type: 'counter',
    help: 'Clicks counted, by class of visitor.',
    rows: ({ journal }) =>
      by(
        'class',
        clickClasses.map((name, at) => [name, journal.clicks[at] ?? 0] as const),
      ),
  },
  {
    name: 'linkfold_clicks_at_risk',
    type: 'gauge',
    help: 'Clicks that are counted but would be lost on a crash, because the disk rejected them.',
    rows: ({ clicksAtRisk }) => one(clicksAtRisk),
  },
  {
    name: 'linkfold_journal_unsynced_clicks',
    type: 'gauge',
    help: 'Clicks written to the journal but not yet synced to disk.',
    rows: ({ unsyncedClicks }) => one(unsyncedClicks),
  },
  {
    name: 'linkfold_journal_unapplied_clicks',
    type: 'gauge',
    help: 'Clicks counted but not yet in the database.',
    rows: ({ applier }) => one(applier.unapplied.clicks),
  },
  {
    name: 'linkfold_journal_unapplied_bytes',
    type: 'gauge',
    help: 'Bytes in the journal that are not yet in the database.',
    rows: ({ applier }) => one(applier.unapplied.bytes),
  },
  {
    name: 'linkfold_journal_written_bytes_total',
    type: 'counter',
    help: 'Bytes written to the journal.',
    rows: ({ journal }) => one(journal.bytesWritten),
  },
  {
    name: 'linkfold_journal_write_clicks',
    type: 'histogram',
    help: 'Clicks per write to the journal.',
    rows: ({ journal }) => one(journal.clicksPerWrite),
  },
  {
    name: 'linkfold_journal_sync_duration_seconds',
    type: 'histogram',
    help: 'Time to sync the journal to disk.',
    rows: ({ journal }) => one(journal.syncSeconds),
  },
  {
    name: 'linkfold_journal_errors_total',
    type: 'counter',
    help: 'Failed journal writes and syncs, by operation.',
    rows: ({ journal }) =>
      by('operation', [
        ['write', journal.writeFaults],
        ['sync', journal.syncFaults],
      ]),
  },
  {
    name: 'linkfold_applier_lag_seconds',
    type: 'gauge',
    across: 'max',
    help: 'Age of the oldest click that is not yet in the database.',
    rows: ({ applier }) => one(applier.lagSeconds),
  },
  {
    name: 'linkfold_applier_run_duration_seconds',
    type: 'histogram',
    help: 'Time to move the clicks since the last run to the database.',
    rows: ({ applier }) => one(applier.runSeconds),
  },
  {
    name: 'linkfold_applier_errors_total',
    type: 'counter',
    help: 'Failed attempts to move clicks to the database.',
    rows: ({ applier }) => one(applier.failures),
  },
  {
    name: 'linkfold_recent_clicks_age_seconds',
    type: 'gauge',
    across: 'max',
    help: 'Upper bound of the age of the oldest click that is in the database but not yet in link statistics.',
    rows: ({ folding }) => one(folding.ageSeconds),
  },
  {
    name: 'linkfold_recent_clicks_errors_total',
    type: 'counter',
    help: 'Failed attempts to add clicks to link statistics.',
    rows: ({ folding }) => one(folding.failures),
  },
  {
    name: 'linkfold_statistics_age_seconds',
    type: 'gauge',
    across: 'max',
    help: 'Upper bound of the age of the oldest click whose dimensions are not yet stored in columns.',
    rows: ({ columns }) => one(columns.ageSeconds),
  },
  {
    name: 'linkfold_statistics_errors_total',
    type: 'counter',
    help: 'Failed attempts to store click dimensions in columns.',
    rows: ({ columns }) => one(columns.failures),
  },
];

const storage: readonly Family[] = [
  {
    name: 'linkfold_storage_waiting_writes',
    type: 'gauge',
    help: 'Writes submitted to storage and not yet acknowledged.',
    rows: (snapshot) => one(snapshot.storage.waiting),
  },
  {
    name: 'linkfold_storage_write_duration_seconds',
    type: 'histogram',
    help: 'Time from submitting a write to its acknowledgement, including queueing.',
    rows: (snapshot) => one(snapshot.storage.writeSeconds),
  },
  {
    name: 'linkfold_storage_commit_duration_seconds',
    type: 'histogram',
    help: 'Duration of a transaction, including its sync.',
    rows: (snapshot) => one(snapshot.storage.commitSeconds),
  },
  {
    name: 'linkfold_storage_commit_writes',
    type: 'histogram',
    help: 'Writes per transaction.',
    rows: (snapshot) => one(snapshot.storage.writesPerCommit),
  },
  {
    name: 'linkfold_storage_slow_writes_total',
    type: 'counter',
    help: 'Writes that took longer than a second, including queueing, by operation.',
    rows: (snapshot) => by('operation', snapshot.storage.slowWrites),
  },
  {
    name: 'linkfold_storage_retries_total',
    type: 'counter',
    help: 'Transactions retried because of a conflict or a lost connection.',
    rows: (snapshot) => one(snapshot.storage.retries),
  },
  {
    name: 'linkfold_storage_errors_total',
    type: 'counter',
    help: 'Database errors, by kind.',
    rows: (snapshot) => by('kind', Object.entries(snapshot.storage.faults)),
  },
  ...(['hits', 'misses', 'drops'] as const).map((what): Family => {
    const help = {
      hits: 'Lookups found in memory',
      misses: 'Lookups read from the database',
      drops: 'Entries invalidated by changes',
    };
    return {
      name: `linkfold_cache_${what}_total`,
      type: 'counter',
      help: `${help[what]}, by cache.`,
      rows: (snapshot) =>
        by(
          'cache',
          Object.entries(snapshot.storage.caches).map(([cache, counts]) => [cache, counts[what]] as const),
        ),
    };
  }),
  {
    name: 'linkfold_cache_entries',
    type: 'gauge',
    help: 'Entries in memory, by cache.',
    rows: (snapshot) =>
      by(
        'cache',
        Object.entries(snapshot.storage.caches).map(([cache, { entries }]) => [cache, entries] as const),
      ),
  },
  {
    name: 'linkfold_change_log_lag_seconds',
    type: 'gauge',
    across: 'max',
    help: "Time since other nodes' changes were last read; absent on SQLite, where every request checks for changes.",
    rows: ({ storage: { changeLogLagSeconds: lag } }) => (lag === undefined ? [] : one(lag)),
  },
];

/** All of Linkfold's own metrics. docs/operating.md contains the same table, and a test compares them. */
export const families: readonly Family[] = [...requests, ...clicks, ...storage, ...service];
