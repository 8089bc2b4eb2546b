import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Config } from './config.ts';
import { clicksDir, dataDirProblem } from './database.ts';
import type { Storage } from './domain/storage.ts';
import type { Tell } from './domain/tell.ts';
import type { Tracing } from './domain/tracing.ts';
import { type Applier, createApplier } from './redirect/applier.ts';
import { type ClickLog, createDatabaseSink } from './redirect/database-sink.ts';
import { openJournal } from './redirect/journal.ts';
import { drainOrphans } from './redirect/recovery.ts';

interface Around {
  readonly onAlarm: Tell;
  readonly onNotice: Tell;
  readonly tracing: Tracing | undefined;
  readonly segmentBytes?: number | undefined;
  readonly applyEveryMs?: number | undefined;
}

/** How the clicks of this process come to storage, as `CLICK_SINK` says. */
export interface Clicks {
  /** Under which storage keeps how far they have come. */
  readonly id: string;
  /** Begins to bring them there. What a start that fails has made is removed by `abandon`. */
  into(storage: Storage): { readonly log: ClickLog; readonly applier: Applier };
  abandon(): Promise<void>;
}

/** @throws Error that names DATA_DIR when the journal's directory cannot be made or written */
export const openClicks = (config: Config, around: Around): Clicks => {
  if (config.CLICK_SINK !== 'journal') return throughNothing(config, around);
  try {
    return throughJournal(config, around);
  } catch (error) {
    throw dataDirProblem(config, error);
  }
};

const throughJournal = (config: Config, around: Around): Clicks => {
  const { segmentBytes, applyEveryMs, tracing, onAlarm, onNotice } = around;
  const journal = openJournal({
    dir: clicksDir(config),
    durability: config.CLICK_DURABILITY,
    ...{ onAlarm, onNotice },
    ...(segmentBytes !== undefined && { segmentBytes }),
  });
  return {
    id: journal.id,
    into: (storage) => {
      const every = applyEveryMs !== undefined && { intervalMs: applyEveryMs };
      return {
        log: journal,
        applier: createApplier({ storage, journal, onAlarm, onNotice, tracing, ...every }),
      };
    },
    abandon: () => journal.close(async () => {}), // empty
  };
};

const throughNothing = (config: Config, { onAlarm, onNotice }: Around): Clicks => {
  const id = randomUUID();
  const dir = clicksDir(config);
  return {
    id,
    into(storage) {
      const { log, applier } = createDatabaseSink({ id, storage, onAlarm, onNotice });
      // What processes with a journal left in this DATA_DIR, before the setting was changed.
      const recover = async (): Promise<void> => {
        if (existsSync(dir)) await drainOrphans({ dir, storage, onAlarm, onNotice });
      };
      return { log, applier: { ...applier, recover } };
    },
    abandon: async () => {},
  };
};
