import { clickClasses } from '../../model/clicks/clicks.ts';
import { by, type Family, one } from './family.ts';
import { service } from './service.ts';

const statusClasses = [2, 4, 5] as const;

const requests: readonly Family[] = [
  {
    name: 'linkfold_redirects_total',
    type: 'counter',
    help: 'Requests for public paths, by what became of them.',
    rows: ({ outcomes }) => by('outcome', Object.entries(outcomes)),
  },
  {
    name: 'linkfold_redirect_duration_seconds',
    type: 'histogram',
    help: 'From the first click of a tick of the event loop to the answers of that tick, once for each click.',
    rows: ({ journal }) => one(journal.tickSeconds),
  },
  {
    name: 'linkfold_api_requests_total',
    type: 'counter',
    help: 'Answers of the API, by endpoint and first digit of the status; without requests that were shed.',
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
    help: 'Time from the arrival of an API request to its answer, waiting included, by endpoint.',
    rows: ({ api }) =>
      by(
        'endpoint',
        Object.entries(api.routes).map(([endpoint, { seconds }]) => [endpoint, seconds] as const),
      ),
  },
  {
    name: 'linkfold_api_errors_total',
    type: 'counter',
    help: 'Errors that the API answered, by code.',
    rows: ({ api }) => by('code', Object.entries(api.errors)),
  },
  {
    name: 'linkfold_probes_total',
    type: 'counter',
    help: 'Probes answered, by probe and result.',
    rows: ({ probes }) =>
      Object.entries(probes).flatMap(([probe, { ok, refused }]) => [
        { labels: { probe, result: 'ok' }, value: ok },
        { labels: { probe, result: 'refused' }, value: refused },
      ]),
  },
  {
    name: 'linkfold_refused_requests_total',
    type: 'counter',
    help: 'Requests refused before any part of the service saw them, by code.',
    rows: ({ refusals }) => by('code', refusals),
  },
  {
    name: 'linkfold_sheds_total',
    type: 'counter',
    help: 'API requests refused because there was too much to do, by class of work; class storage is writes that found its queue full.',
    rows: ({ admission, storage: { refused } }) =>
      by('class', [...Object.entries(admission.refused), ['storage', refused]]),
  },
  {
    name: 'linkfold_queued_requests_total',
    type: 'counter',
    help: 'API requests that had to wait for their turn, by class of work.',
    rows: ({ admission }) => by('class', Object.entries(admission.queued)),
  },
  {
    name: 'linkfold_abandoned_requests_total',
    type: 'counter',
    help: 'API requests whose callers had gone when their turn came, by class of work.',
    rows: ({ admission }) => by('class', Object.entries(admission.abandoned)),
  },
  {
    name: 'linkfold_waiting_requests',
    type: 'gauge',
    help: 'API requests that wait for their turn, by class of work.',
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
    help: 'Connections closed because too many were open (full), or because answers were not taken (slow_reader).',
    rows: ({ connections }) =>
      by('reason', [
        ['full', connections.refused],
        ['slow_reader', connections.slowReaders],
      ]),
  },
  {
    name: 'linkfold_unread_answer_bytes',
    type: 'gauge',
    help: 'Answers in memory that their readers have not taken, as last looked, each second.',
    rows: ({ connections }) => one(connections.buffered),
  },
  {
    name: 'linkfold_event_streams',
    type: 'gauge',
    help: 'Clients that follow events as they happen.',
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
    help: 'Clicks that are counted, but would be lost if the process died or the machine lost power now, for the disk refused them.',
    rows: ({ clicksAtRisk }) => one(clicksAtRisk),
  },
  {
    name: 'linkfold_journal_unsynced_clicks',
    type: 'gauge',
    help: 'Clicks written to the journal, but not yet synced to the disk.',
    rows: ({ unsyncedClicks }) => one(unsyncedClicks),
  },
  {
    name: 'linkfold_journal_unapplied_clicks',
    type: 'gauge',
    help: 'Clicks counted, but not yet in the database.',
    rows: ({ applier }) => one(applier.unapplied.clicks),
  },
  {
    name: 'linkfold_journal_unapplied_bytes',
    type: 'gauge',
    help: 'Bytes of the journal that are not yet in the database.',
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
    help: 'Clicks that went to the journal with one write.',
    rows: ({ journal }) => one(journal.clicksPerWrite),
  },
  {
    name: 'linkfold_journal_sync_duration_seconds',
    type: 'histogram',
    help: 'Time to sync the journal to the disk.',
    rows: ({ journal }) => one(journal.syncSeconds),
  },
  {
    name: 'linkfold_journal_errors_total',
    type: 'counter',
    help: 'Failed attempts to write the journal or to sync it, by operation.',
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
    help: 'How long the oldest click that is not yet in the database has waited.',
    rows: ({ applier }) => one(applier.lagSeconds),
  },
  {
    name: 'linkfold_applier_run_duration_seconds',
    type: 'histogram',
    help: 'Time to bring the clicks since the last run to the database.',
    rows: ({ applier }) => one(applier.runSeconds),
  },
  {
    name: 'linkfold_applier_errors_total',
    type: 'counter',
    help: 'Failed attempts to bring clicks to the database.',
    rows: ({ applier }) => one(applier.failures),
  },
  {
    name: 'linkfold_recent_clicks_age_seconds',
    type: 'gauge',
    across: 'max',
    help: 'At most how long clicks in the database have waited to be moved to the figures of their links.',
    rows: ({ folding }) => one(folding.ageSeconds),
  },
  {
    name: 'linkfold_recent_clicks_errors_total',
    type: 'counter',
    help: 'Failed attempts to move clicks to the figures of their links.',
    rows: ({ folding }) => one(folding.failures),
  },
  {
    name: 'linkfold_statistics_age_seconds',
    type: 'gauge',
    across: 'max',
    help: 'At most how long what clicks say has waited in the database to be moved to columns.',
    rows: ({ columns }) => one(columns.ageSeconds),
  },
  {
    name: 'linkfold_statistics_errors_total',
    type: 'counter',
    help: 'Failed attempts to move what clicks say to columns.',
    rows: ({ columns }) => one(columns.failures),
  },
];

const storage: readonly Family[] = [
  {
    name: 'linkfold_storage_waiting_writes',
    type: 'gauge',
    help: 'Writes handed to storage and not yet acknowledged.',
    rows: (figures) => one(figures.storage.waiting),
  },
  {
    name: 'linkfold_storage_write_duration_seconds',
    type: 'histogram',
    help: 'From the call of a write to its acknowledgement, waiting included.',
    rows: (figures) => one(figures.storage.writeSeconds),
  },
  {
    name: 'linkfold_storage_commit_duration_seconds',
    type: 'histogram',
    help: 'Time of one transaction with its sync.',
    rows: (figures) => one(figures.storage.commitSeconds),
  },
  {
    name: 'linkfold_storage_commit_writes',
    type: 'histogram',
    help: 'Writes that were committed together.',
    rows: (figures) => one(figures.storage.writesPerCommit),
  },
  {
    name: 'linkfold_storage_slow_writes_total',
    type: 'counter',
    help: 'Writes that took longer than a second, waiting included, by operation.',
    rows: (figures) => by('operation', figures.storage.slowWrites),
  },
  {
    name: 'linkfold_storage_retries_total',
    type: 'counter',
    help: 'Transactions performed again because another one, or a lost connection, was in their way.',
    rows: (figures) => one(figures.storage.retries),
  },
  {
    name: 'linkfold_storage_errors_total',
    type: 'counter',
    help: 'What the database failed of, by kind.',
    rows: (figures) => by('kind', Object.entries(figures.storage.faults)),
  },
  ...(['hits', 'misses', 'drops'] as const).map((what): Family => {
    const help = {
      hits: 'Look-ups answered from memory',
      misses: 'Look-ups that asked the database',
      drops: 'Entries given up because they changed',
    };
    return {
      name: `linkfold_cache_${what}_total`,
      type: 'counter',
      help: `${help[what]}, by cache.`,
      rows: (figures) =>
        by(
          'cache',
          Object.entries(figures.storage.caches).map(([cache, counts]) => [cache, counts[what]] as const),
        ),
    };
  }),
  {
    name: 'linkfold_cache_entries',
    type: 'gauge',
    help: 'Entries in memory, by cache.',
    rows: (figures) =>
      by(
        'cache',
        Object.entries(figures.storage.caches).map(([cache, { entries }]) => [cache, entries] as const),
      ),
  },
  {
    name: 'linkfold_change_log_lag_seconds',
    type: 'gauge',
    across: 'max',
    help: 'How long ago it was known what other nodes changed; absent on SQLite, which is asked at every tick.',
    rows: ({ storage: { changeLogLagSeconds: lag } }) => (lag === undefined ? [] : one(lag)),
  },
];

/** Every metric of Linkfold's own. docs/operating.md has the same table, and a test compares them. */
export const families: readonly Family[] = [...requests, ...clicks, ...storage, ...service];
