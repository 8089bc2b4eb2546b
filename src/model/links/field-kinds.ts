/**
 * How a field is stored. `prose` is text for display; `word` is printable ASCII for programs; `choice` is one of a list
 * of values. `time` is milliseconds since the epoch. `flag` is 0 or 1, and a boolean in the API. `count` starts at 0
 * and is read-only. `url` is a URL that visitors may be redirected to, encoded for the `Location` header. `json` is
 * stored as text. A `secret` is stored only as a hash, and responses never include it.
 */
export type FieldKind =
  | 'id'
  | 'prose'
  | 'word'
  | 'time'
  | 'flag'
  | 'number'
  | 'count'
  | 'choice'
  | 'url'
  | 'json'
  | 'secret';

/** Describes a field in requests. Create and update requests accept the same values. */
export interface FieldInput {
  /** Set if only create requests accept the field, because a separate endpoint changes it. */
  readonly onlyNew?: true;
  /** One sentence for the request docs. */
  readonly about: string;
  /** Minimum length of a secret, in characters. */
  readonly min?: number;
  /** Maximum length in characters, for fields of kind `prose`, `word` or `secret`. */
  readonly max?: number;
  /** Set if prose may contain line breaks and tabs. */
  readonly multiline?: true;
  /** Inclusive range of a number without `choices`. */
  readonly between?: readonly [least: number, most: number];
  /** All possible values, for fields of kind `choice` and for numbers with few possible values. */
  readonly choices?: readonly (string | number)[];
  /** Name of the CLI option for `shorten` and `links update`: `expires` for `--expires`. */
  readonly option: string;
  /** Placeholder for the option's value in the CLI help. `help` is the option's help text. */
  readonly value: string;
  readonly help: string;
}

/** One field of a link. */
export interface LinkField {
  /** Column in the table `links`. */
  readonly column: string;
  readonly kind: FieldKind;
  /** Set if a flag is on by default. The API returns true if the column contains 0. */
  readonly isInverted?: true;
  /** Set if the field may be null (no value). */
  readonly nullable?: true;
  /** Set if update requests can change the field. */
  readonly editable?: true;
  /** Set if redirects depend on the field. A change must then invalidate every process's target cache. */
  readonly affectsRedirect?: true;
  /** Set if `include` can add the field to links in responses. */
  readonly includable?: true;
  /** One sentence for the response docs. */
  readonly about?: string;
  readonly input?: FieldInput;
}
