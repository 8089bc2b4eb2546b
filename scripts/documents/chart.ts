import { type SettingName, settings } from '../../src/config.ts';

/** Settings that the chart derives from other values. */
const ofChart = ['PORT', 'HOST', 'DATA_DIR', 'BASE_URL', 'SHUTDOWN_DELAY', 'METRICS_PORT', 'METRICS_HOST'];

/**
 * Returns the setting names allowed in the chart's `settings` and `secrets`, one per line. Other names are treated as
 * typos.
 */
export function settingNames(): string {
  const names = (Object.keys(settings) as SettingName[]).filter((name) => !ofChart.includes(name));
  const all = names.flatMap((name) => {
    const setting = settings[name];
    return 'secret' in setting || 'file' in setting ? [name, `${name}_FILE`] : [name];
  });
  return `${all.join('\n')}\n`;
}
