import { randomUUID } from 'node:crypto';
import { type Applier, createApplier } from '../clicks/applier.ts';
import { type ClickLog, createDatabaseSink } from '../clicks/database-sink.ts';
import { openJournal } from '../clicks/journal/journal.ts';
import { type ClickRecovery, createClickRecovery } from '../clicks/recovery-loop.ts';
import type { Config } from '../config.ts';
import type { Storage } from '../domain/storage.ts';
import type { Report } from '../runtime/report.ts';
import type { Tracing } from '../runtime/tracing.ts';
import { clicksDir, dataDirProblem } from './operator.ts';

interface Around {
  readonly onError: Report;
  readonly onInfo: Report;
  readonly tracing: Tracing | undefined;
  readonly segmentBytes?: number | undefined;
  readonly applyEveryMs?: number | undefined;
}

/** How the clicks of this process come to storage, as `CLICK_SINK` says. */
export interface Clicks {
  /** Under which storage keeps how far they have come. */
  readonly id: string;
  /** Makes what brings them there. */
  into(storage: Storage): BroughtClicks;
  /** Removes what a start that fails has made, unless clicks are in it. Does nothing once the applier is closed. */
  abandon(): Promise<void>;
}

export interface BroughtClicks {
  readonly log: ClickLog;
  /** Its end is also that of the recovery. */
  readonly applier: Applier;
  /** For the clicks of processes that were killed. */
  readonly recovery: Pick<ClickRecovery, 'start' | 'caughtUp'>;
}

/** @throws Error that names DATA_DIR when the journal's directory cannot be made or written */
export function openClicks(config: Config, around: Around): Clicks {
  if (config.CLICK_SINK !== 'journal') return direct(config, around);
  try {
    return throughJournal(config, around);
  } catch (error) {
    throw dataDirProblem(config, error);
  }
}

function throughJournal(config: Config, around: Around): Clicks {
  const { segmentBytes, applyEveryMs, tracing, onError, onInfo } = around;
  const dir = clicksDir(config);
  const journal = openJournal({
    dir,
    durability: config.CLICK_DURABILITY,
    ...{ onError: onError, onInfo: onInfo },
    ...(segmentBytes !== undefined && { segmentBytes }),
  });
  return {
    id: journal.id,
    into: (storage) => {
      const every = applyEveryMs !== undefined && { intervalMs: applyEveryMs };
      const applier = createApplier({
        storage,
        journal,
        onError: onError,
        onInfo: onInfo,
        tracing,
        ...every,
      });
      const recovery = createClickRecovery({ dir, storage, onError: onError, onInfo: onInfo });
      return { log: journal, applier: endingWith(recovery, applier), recovery };
    },
    // Of clicks that visitors were answered for, no file is removed before storage has them.
    abandon: () => journal.close(journal.progress().mark.clicks === 0 ? async () => {} : undefined),
  };
}

function endingWith(recovery: ClickRecovery, applier: Applier): Applier {
  return {
    ...applier,
    async close() {
      await recovery.close();
      await applier.close();
    },
  };
}

function direct(config: Config, { onError, onInfo }: Around): Clicks {
  const id = randomUUID();
  return {
    id,
    into(storage) {
      const { log, applier } = createDatabaseSink({ id, storage, onError: onError, onInfo: onInfo });
      // What processes with a journal left in this DATA_DIR, before the setting was changed.
      const recovery = createClickRecovery({
        dir: clicksDir(config),
        storage,
        onError: onError,
        onInfo: onInfo,
      });
      return { log, applier: endingWith(recovery, applier), recovery };
    },
    abandon: async () => {},
  };
}
