import { type Geolocate, geolocateWhenReady, openCountries } from '../clicks/dimensions/countries.ts';
import { createReadFacts, type ReadFacts } from '../clicks/dimensions/facts.ts';
import { openGeoDatabase } from '../clicks/dimensions/geo-database.ts';
import { createVisitorSalts, type VisitorSalts, type VisitorSaltsOptions } from '../clicks/visitor-salts.ts';
import { type Config, ConfigError } from '../config.ts';
import { classOfAgent } from '../redirect/visitor.ts';

/** Parser for click facts, and the salts used to hash visitor ids. */
export interface ClickFactsParts {
  readonly readFacts: ReadFacts;
  readonly salts: VisitorSalts;
}

/**
 * Creates the click facts parser and the salts for visitor ids.
 * @throws ConfigError if GEO_DATABASE does not name a valid database file
 */
export async function openClickFacts(config: Config, options: VisitorSaltsOptions): Promise<ClickFactsParts> {
  const salts = createVisitorSalts(options);
  const readFacts = createReadFacts({
    classOfAgent,
    ownHosts: ownHostsOf(config),
    geolocate: await openGeolocation(config, options),
    salt: salts.salt,
    honoursOptOut: config.RESPECT_OPT_OUT,
  });
  return { readFacts, salts };
}

function ownHostsOf({ BASE_URL }: Config): readonly string[] {
  return BASE_URL === null ? ['localhost'] : [new URL(BASE_URL).hostname];
}

async function openGeolocation(
  { GEO_DATABASE: path }: Config,
  { onError }: Pick<VisitorSaltsOptions, 'onError'>,
): Promise<Geolocate> {
  if (path !== null) return openOperators(path);
  const opening = openCountries();
  opening.catch((error: unknown) =>
    onError(
      'Could not read the country database. Clicks are counted without a country. Reinstall Linkfold.',
      { error },
    ),
  );
  return geolocateWhenReady(opening);
}

async function openOperators(path: string): Promise<Geolocate> {
  try {
    return await openGeoDatabase(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`GEO_DATABASE: ${path} is not a database in MaxMind’s format: ${reason}`);
  }
}
