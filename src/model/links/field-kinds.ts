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

/** How clients send a field; the same for create and update. */
export interface FieldInput {
  /** Set if only creates accept it; a separate endpoint changes it. */
  readonly onlyNew?: true;
  /** One sentence for documentation. */
  readonly about: string;
  /** Minimum length of a secret, characters. */
  readonly min?: number;
  /** Maximum length of prose, a word or a secret, characters. */
  readonly max?: number;
  /** Set if prose may contain line breaks and tabs. */
  readonly multiline?: true;
  /** Range of a number without `choices`, inclusive. */
  readonly between?: readonly [least: number, most: number];
  /** All values of a choice, or of a number with few values. */
  readonly choices?: readonly (string | number)[];
  /** CLI option of `shorten` and `links update`: `expires` is `--expires`. */
  readonly option: string;
  /** The placeholder for the option's value in help, and the option's help text. */
  readonly value: string;
  readonly help: string;
}

/** One field of a link. */
export interface LinkField {
  /** Column of the table `links`. */
  readonly column: string;
  readonly kind: FieldKind;
  /** Set if a flag is on by default: true in the API where its column holds 0. */
  readonly isInverted?: true;
  /** Set if it may be null (no value). */
  readonly nullable?: true;
  /** Set if updates can change it. */
  readonly editable?: true;
  /** Set if redirects depend on it: a change must then invalidate the target cache of every process. */
  readonly affectsRedirect?: true;
  /** Set if `include` can add it to a link in a response. */
  readonly includable?: true;
  /** One sentence for the documentation of responses. */
  readonly about?: string;
  readonly input?: FieldInput;
}
