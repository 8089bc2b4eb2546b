import { flag, setting } from '../runtime/setting-values.ts';

/** Settings of destination monitoring. */
export const destinationMonitoringSettings = {
  WATCH_DESTINATIONS: setting(
    '1 looks now and then whether destinations of links are still there, 0 does not.',
    '1',
    flag,
  ),
  FETCH_TITLES: setting(
    '1 gives links without a title that of their page; see WATCH_DESTINATIONS.',
    '0',
    flag,
  ),
};
