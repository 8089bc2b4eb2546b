import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { countryNumber, type GeoLocation, type Geolocate, unknownLocation } from './countries.ts';

/** Maximum length of a region or network name, in UTF-16 units. */
export const maxRegionLength = 50;

/** An entry in a database in MaxMind's format. GeoLite2 and DB-IP nest the fields; IPinfo and others do not. */
interface Entry {
  readonly country?: { readonly iso_code?: unknown } | string | null;
  readonly country_code?: unknown;
  readonly subdivisions?:
    | readonly ({ readonly iso_code?: unknown; readonly names?: { readonly en?: unknown } } | null)[]
    | null;
  readonly region?: unknown;
  readonly region_name?: unknown;
  readonly state1?: unknown;
  readonly as_name?: unknown;
  readonly autonomous_system_organization?: unknown;
}

/**
 * Loads the operator's own database in MaxMind's format (`GEO_DATABASE`) completely into memory. Locations include
 * regions and networks if the database contains them. Damaged entries are treated as unknown.
 * @throws Error if the file is unreadable or has another format
 */
export async function openGeoDatabase(path: string): Promise<Geolocate> {
  const [{ Reader }, bytes] = await Promise.all([import('mmdb-lib'), readFile(path)]);
  const reader = new Reader(bytes);
  return (given) => {
    const [address = ''] = given.split('/', 1);
    if (isIP(address) === 0) return unknownLocation;
    try {
      return readLocation((reader.get(address) ?? {}) as Entry);
    } catch {
      return unknownLocation;
    }
  };
}

function readLocation(entry: Entry): GeoLocation {
  const nested = typeof entry.country === 'object' ? entry.country?.iso_code : entry.country;
  const code = text(nested ?? entry.country_code).toUpperCase();
  const country = countryNumber(code);
  const division = entry.subdivisions?.[0];
  const iso = text(division?.iso_code);
  const name = text(division?.names?.en ?? entry.region ?? entry.region_name ?? entry.state1);
  const network = text(entry.autonomous_system_organization ?? entry.as_name);
  return { country, region: country === 0 ? '' : iso === '' ? name : `${code}-${iso}`, network };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, maxRegionLength).toWellFormed() : '';
}
