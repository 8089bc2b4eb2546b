import type { Service } from '../service.ts';
import { bitly } from './bitly.ts';
import { chhotoUrl } from './chhoto-url.ts';
import { dub } from './dub.ts';
import { golink } from './golink.ts';
import { kutt } from './kutt.ts';
import { polr } from './polr.ts';
import { rebrandly } from './rebrandly.ts';
import { shlink } from './shlink.ts';
import { shortIo } from './short-io.ts';
import { sink } from './sink.ts';
import { trotto } from './trotto.ts';
import { umami } from './umami.ts';
import { yourls } from './yourls.ts';

/** Services from which links can be imported, by their names on the command line. `csv` is for spreadsheets. */
export const services: Readonly<Record<string, Service>> = {
  bitly,
  'chhoto-url': chhotoUrl,
  dub,
  golink,
  kutt,
  polr,
  rebrandly,
  shlink,
  'short-io': shortIo,
  sink,
  trotto,
  umami,
  yourls,
};
