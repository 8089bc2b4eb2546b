import { readFile } from 'node:fs/promises';
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type ScalarTag,
  type Tags,
  visit,
  type YAMLMap,
} from 'yaml';
import { inputsOf } from '../../model/links/link-field-values.ts';
import { reasonOf } from '../../runtime/files/file-faults.ts';
import { exits, Stop } from '../terminal/exits.ts';

/** A parsed file of a manifest. */
export interface ManifestFile {
  readonly path: string;
  readonly isJson: boolean;
  readonly document: Document;
  readonly manifest: string;
  readonly domain: string | undefined;
  /** Name or ID of the folder. */
  readonly folder: string | undefined;
  readonly defaults: Fields;
  readonly links: readonly FileLink[];
  /** Maps old codes to new codes. */
  readonly moved: ReadonlyMap<string, string>;
}

export type Fields = Readonly<Record<string, unknown>>;

/** A link in a file. */
export interface FileLink {
  readonly node: YAMLMap;
  readonly line: number;
  readonly fields: Fields;
}

// Only flags, numbers and JSON keep the type that they have in the file. Every other value is read as a string, even if
// it looks like a number, such as the code 007 or 1e3.
const kinds = new Map<string, string>(inputsOf('shorten').map(({ name, kind }) => [name, kind]));
const typed: ReadonlySet<string | undefined> = new Set(['flag', 'number']);
/** JSON fields that contain values other than strings. */
const withNumbers: ReadonlySet<string> = new Set(['rules']);

const topNames = ['version', 'manifest', 'domain', 'folder', 'defaults', 'links', 'moved'] as const;

/** Reads the files of one manifest. @throws Stop with file and line if a file is invalid */
export async function readManifest(paths: readonly string[]): Promise<readonly ManifestFile[]> {
  const files: ManifestFile[] = [];
  for (const path of paths) files.push(readText(path, await textOf(path)));
  const names = new Set(files.map(({ manifest }) => manifest));
  if (names.size > 1)
    throw new Stop(
      exits.usage,
      `These files belong to several manifests (${[...names].join(', ')}). Use the files of one manifest at a time.`,
    );
  return files;
}

async function textOf(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    const why = error instanceof TypeError ? 'the file is not UTF-8' : reasonOf(error);
    throw new Stop(exits.usage, `Could not read ${path}: ${why}.`);
  }
}

/** Parses a manifest file. @throws Stop if the file is not a manifest */
export function readText(path: string, text: string): ManifestFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: true, customTags: asWritten });
  const lineOf = (node: { range?: readonly number[] | null } | null | undefined): number =>
    lines.linePos(node?.range?.[0] ?? 0).line;
  const stop = (line: number, why: string): Stop => new Stop(exits.usage, `${path}:${line}: ${why}`);
  const [error] = document.errors;
  if (error !== undefined) {
    const [why = ''] = error.message.split(/ at line \d+|\n/, 1);
    throw stop(error.linePos?.[0].line ?? 1, `${why}.`);
  }
  const top = document.contents;
  if (!isMap(top))
    throw stop(1, `The file must be a map with the fields of a manifest: ${topNames.join(', ')}.`);
  const pairs = new Map(top.items.map(({ key, value }) => [textIn(document, key), value as never]));
  for (const name of pairs.keys())
    if (!(topNames as readonly unknown[]).includes(name))
      throw stop(
        lineOf(top),
        `${String(name)} is not a field of a manifest. Fields: ${topNames.join(', ')}.`,
      );
  const textAt = (name: string): string | undefined => {
    const value = textIn(document, pairs.get(name));
    if (value !== undefined && typeof value !== 'string')
      throw stop(lineOf(pairs.get(name)), `${name} must be a string.`);
    return value;
  };
  const fieldsAt = (node: unknown, what: string): Fields => {
    const found = resolved(document, node);
    if (!isMap(found)) throw stop(lineOf(node as YAMLMap), `${what} must be a map of fields.`);
    return fieldsOf(document, found);
  };
  const version = textAt('version') ?? '1';
  if (version !== '1')
    throw stop(lineOf(pairs.get('version')), `version ${version} is not supported. Use 1.`);
  const manifest = textAt('manifest');
  if (manifest === undefined || !/^[\x21-\x7e]{1,64}$/.test(manifest))
    throw stop(
      1,
      'manifest is required and must be 1 to 64 characters without spaces: the name of this list of links.',
    );
  const list = resolved(document, pairs.get('links'));
  if (!isSeq(list)) throw stop(lineOf(top), 'links is required: a list of links, which may be empty ([]).');
  const links = list.items.map((item): FileLink => {
    const node = resolved(document, item) as YAMLMap;
    return { node, line: lineOf(item as YAMLMap), fields: fieldsAt(item, 'A link') };
  });
  const moved = pairs.has('moved') ? fieldsAt(pairs.get('moved'), 'moved') : {};
  return {
    path,
    isJson: path.toLowerCase().endsWith('.json'),
    document,
    manifest,
    domain: textAt('domain'),
    folder: textAt('folder'),
    defaults: pairs.has('defaults') ? fieldsAt(pairs.get('defaults'), 'defaults') : {},
    links,
    moved: new Map(Object.entries(moved).map(([old, code]) => [old, String(code)])),
  };
}

function isOfNumbers(tag: Tags[number]): tag is ScalarTag {
  return typeof tag === 'object' && /:(?:int|float)$/.test(tag.tag);
}

/** Changes YAML tags so that numbers keep their spelling, because the codes 007 and 7 differ. */
function asWritten(tags: Tags): Tags {
  return tags.map((tag) => {
    if (!isOfNumbers(tag)) return tag;
    const { stringify, ...rest } = tag;
    const kept: ScalarTag['stringify'] = (node, ...more) =>
      node.source ?? stringify?.(node, ...more) ?? String(node.value);
    return { ...rest, stringify: kept };
  });
}

/** Serializes a file after its document has changed. */
export function textOfFile({ isJson, document }: Pick<ManifestFile, 'isJson' | 'document'>): string {
  if (!isJson) return document.toString({ lineWidth: 0 });
  visit(document, {
    Pair(_, { key, value }) {
      const name = String(textIn(document, key));
      if (typed.has(kinds.get(name)) || withNumbers.has(name)) return visit.SKIP;
      if (isScalar(value) && typeof value.value === 'number') value.value = textIn(document, value);
      return undefined;
    },
  });
  return `${JSON.stringify(document.toJS(), null, 2)}\n`;
}

function resolved(document: Document, node: unknown): unknown {
  const alias = node as { resolve?: (document: Document) => unknown } | null | undefined;
  return typeof alias?.resolve === 'function' ? alias.resolve(document) : node;
}

/**
 * Returns a scalar exactly as it is written in the file. Returns null or undefined if there is no value, and the node
 * itself if it is not a scalar.
 */
function textIn(document: Document, node: unknown): unknown {
  const found = resolved(document, node);
  if (!isScalar(found)) return found ?? undefined;
  if (found.value === null || found.type !== 'PLAIN') return found.value;
  return found.source ?? String(found.value);
}

function fieldsOf(document: Document, map: YAMLMap): Fields {
  return Object.fromEntries(
    map.items.map(({ key, value }) => {
      const name = String(textIn(document, key));
      return [name, typed.has(kinds.get(name)) ? plain(document, value) : textsIn(document, name, value)];
    }),
  );
}

function textsIn(document: Document, name: string, node: unknown): unknown {
  if (withNumbers.has(name)) return plain(document, node);
  const found = resolved(document, node);
  if (isSeq(found)) return found.items.map((item) => textsIn(document, name, item));
  if (!isMap(found)) return textIn(document, found) ?? null;
  const entries = found.items.map(({ key, value }) => [
    String(textIn(document, key)),
    textsIn(document, name, value),
  ]);
  return Object.fromEntries(entries);
}

function plain(document: Document, node: unknown): unknown {
  const found = resolved(document, node) as { toJS?: (document: Document) => unknown } | null;
  return typeof found?.toJS === 'function' ? found.toJS(document) : (found ?? null);
}
