import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

// Generates the dashboard's world map. Country outlines are projected, rounded and written as short relative paths, so
// that the page needs neither map data nor libraries. Uses world-atlas (ISC), which contains Natural Earth (public
// domain).

const width = 700;
const root = join(import.meta.dirname, '..');
const target = 'dashboard/statistics/world.ts';
/** Minimum area of a ring, in square map units. Smaller rings are dropped, except each country's largest ring. */
const smallest = 5;
/** Maximum distance of a simplified line from the original line, in map units. */
const tolerance = 0.8;
const antarctica = 'AQ';

type Point = readonly [number, number];

interface Projection {
  fitWidth(width: number, shape: object): Projection;
}
interface Libraries {
  geoEqualEarth(): Projection;
  geoPath(projection: Projection, context: object): (shape: object) => void;
  feature(atlas: object, objects: object): { readonly features: readonly Shape[] };
}
interface Shape {
  readonly id?: string | number;
}

const require = createRequire(import.meta.url);
const { geoEqualEarth, geoPath, feature }: Libraries = {
  ...require('d3-geo'),
  ...require('topojson-client'),
};

/** Returns a country's outlines, rounded to integers. */
function ringsOf(shape: object, projection: Projection): Point[][] {
  const rings: Point[][] = [];
  let ring: Point[] = [];
  const context = {
    moveTo(x: number, y: number) {
      ring = [[x, y]];
      rings.push(ring);
    },
    lineTo(x: number, y: number) {
      ring.push([x, y]);
    },
    closePath() {},
    arc() {},
    beginPath() {},
  };
  geoPath(projection, context)(shape);
  return rings.map((one) => rounded(simplified(one))).filter((one) => one.length > 2);
}

/** Simplifies a line by dropping points close to the line between their neighbors (Douglas-Peucker). */
function simplified(points: readonly Point[]): readonly Point[] {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 3) return points;
  let farthest = 0;
  let at = 0;
  for (const [place, point] of points.entries()) {
    const distance = distanceOf(point, first, last);
    if (distance > farthest) [farthest, at] = [distance, place];
  }
  if (farthest <= tolerance) return [first, last];
  return [...simplified(points.slice(0, at + 1)).slice(0, -1), ...simplified(points.slice(at))];
}

function distanceOf([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = Math.hypot(dx, dy);
  return length === 0 ? Math.hypot(x - ax, y - ay) : Math.abs(dx * (ay - y) - dy * (ax - x)) / length;
}

/** Rounds points to integers and drops repeated points. */
function rounded(ring: readonly Point[]): Point[] {
  const points = ring.map(([x, y]): Point => [Math.round(x), Math.round(y)]);
  return points.filter(([x, y], at) => {
    const [beforeX, beforeY] = points[(at + points.length - 1) % points.length] ?? [];
    return x !== beforeX || y !== beforeY;
  });
}

function areaOf(ring: readonly Point[]): number {
  return Math.abs(
    ring.reduce((sum, [x, y], at) => {
      const [nextX, nextY] = ring[(at + 1) % ring.length] ?? [x, y];
      return sum + (x * nextY - nextX * y) / 2;
    }, 0),
  );
}

/** Formats rings as an SVG path such as `M1 2l3-4z`. */
function pathOf(rings: readonly Point[][]): string {
  return rings
    .map(([first = [0, 0], ...rest]) => {
      let [x, y] = first;
      const steps = rest.map(([nextX, nextY]) => {
        const step = numbers(nextX - x, nextY - y);
        [x, y] = [nextX, nextY];
        return step;
      });
      const joined = steps.reduce(
        (text, step) => text + (text !== '' && !step.startsWith('-') ? ' ' : '') + step,
        '',
      );
      return `M${numbers(...first)}l${joined}z`;
    })
    .join('');
}

function numbers(x: number, y: number): string {
  return `${x}${y < 0 ? '' : ' '}${y}`;
}

const atlas = JSON.parse(readFileSync(require.resolve('world-atlas/countries-50m.json'), 'utf8'));
const { features } = feature(atlas, atlas.objects.countries);
const found = features.flatMap((shape) => {
  // Converts the ISO 3166-1 numeric code to letters, if Intl supports the code.
  const code = shape.id === undefined ? '' : (Intl.getCanonicalLocales(`und-${shape.id}`)[0]?.slice(4) ?? '');
  return /^[A-Z]{2}$/.test(code) && code !== antarctica ? [{ code, shape }] : [];
});
const projection = geoEqualEarth().fitWidth(width, {
  type: 'FeatureCollection',
  features: found.map(({ shape }) => shape),
});
const countries = new Map<string, Point[][]>();
for (const { code, shape } of found) {
  const rings = [...(countries.get(code) ?? []), ...ringsOf(shape, projection)];
  const largest = Math.max(0, ...rings.map(areaOf));
  countries.set(
    code,
    rings.filter((ring) => areaOf(ring) >= Math.min(smallest, largest)),
  );
}
const lines = [...countries]
  .filter(([, rings]) => rings.length > 0)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([code, rings]) => `  ${code}: '${pathOf(rings)}',`);
const height = Math.max(...[...countries.values()].flat(2).map(([, y]) => y)) + 1;
const text = `// Made from world-atlas by scripts/draw-map.ts. Do not edit.

/** Width and height of the map. */
export const worldSize = [${width}, ${height}] as const;

/** Outlines of countries by ISO 3166-1 code, as SVG paths. */
export const world: Readonly<Record<string, string>> = {
${lines.join('\n')}
};
`;
writeFileSync(join(root, target), text);
console.log(`${lines.length} countries, ${gzipSync(text).length} bytes compressed`);
