import { type Applier, createApplier } from '../clicks/applier.ts';
import { type Journal, openJournal } from '../clicks/journal/journal.ts';
import { type ClickRecovery, createClickRecovery } from '../clicks/recovery-loop.ts';
import type { Config } from '../config.ts';
import type { Storage } from '../model/storage.ts';
import type { Report } from '../runtime/report.ts';
import type { Tracing } from '../runtime/tracing.ts';
import { clicksDir, dataDirProblem } from './installation.ts';

interface ClicksOptions {
  readonly onError: Report;
  readonly onInfo: Report;
  readonly tracing: Tracing | undefined;
  readonly segmentBytes?: number | undefined;
  readonly applyEveryMs?: number | undefined;
}

/** This process's clicks, which are written to its journal first and then applied to storage. */
export interface Clicks {
  readonly journal: Journal;
  /** Creates the applier, which moves the clicks to storage. Call it once storage is open. */
  applyTo(storage: Storage): ApplyingClicks;
  /** Removes the journal after a failed startup, unless it contains clicks. Does nothing once the applier is closed. */
  abandon(): Promise<void>;
}

export interface ApplyingClicks {
  /** Closing the applier also closes the recovery. */
  readonly applier: Applier;
  /** Recovers clicks left behind by processes that were killed. */
  readonly recovery: Pick<ClickRecovery, 'start' | 'caughtUp'>;
}

/**
 * Opens this process's click journal.
 * @throws Error that names DATA_DIR if the journal's directory cannot be created or written
 */
export function openClicks(config: Config, options: ClicksOptions): Clicks {
  const { segmentBytes, applyEveryMs, tracing, onError, onInfo } = options;
  const dir = clicksDir(config);
  const journal = openIn(dir);
  return {
    journal,
    applyTo(storage) {
      const interval = applyEveryMs !== undefined && { intervalMs: applyEveryMs };
      const applier = createApplier({ storage, journal, onError, onInfo, tracing, ...interval });
      const recovery = createClickRecovery({ dir, storage, onError, onInfo });
      const close = async (): Promise<void> => {
        await recovery.close();
        await applier.close();
      };
      return { applier: { ...applier, close }, recovery };
    },
    // Journal files with acknowledged clicks must remain until the clicks are in storage.
    abandon: () => journal.close(journal.progress().mark.clicks === 0 ? async () => {} : undefined),
  };

  function openIn(dir: string): Journal {
    const size = segmentBytes !== undefined && { segmentBytes };
    try {
      return openJournal({ dir, durability: config.CLICK_DURABILITY, onError, onInfo, ...size });
    } catch (error) {
      throw dataDirProblem(config, error);
    }
  }
}
