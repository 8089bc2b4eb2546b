import { flag, setting } from '../../runtime/setting-values.ts';

/** Settings for destination monitoring. */
export const destinationMonitoringSettings = {
  WATCH_DESTINATIONS: setting(
    '1 regularly checks whether link destinations are reachable. 0 turns it off.',
    '1',
    flag,
  ),
  FETCH_TITLES: setting(
    '1 fills in missing link titles from the destination page. See WATCH_DESTINATIONS.',
    '0',
    flag,
  ),
};
