import { fail, list, setting, shortened } from '../runtime/setting-values.ts';
import { type ServiceName, serviceNames } from './services.ts';

function serviceList(text: string): readonly ServiceName[] {
  const names = list(text).map((name) => name.toLowerCase());
  const unknown = names.find((name) => !(serviceNames as readonly string[]).includes(name));
  return unknown === undefined
    ? (names as ServiceName[])
    : fail(`contains "${shortened(unknown)}"; supported are ${serviceNames.join(', ')}`);
}

export const compatibleSettings = {
  COMPATIBLE: setting(
    'Services whose APIs are emulated, comma-separated: yourls, shlink, kutt, bitly. Unset: none.',
    '',
    serviceList,
  ),
};
