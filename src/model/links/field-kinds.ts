/**
 * How a field is kept. Prose is text for display; a word is one name of printable ASCII for programs; a choice one of some words.
 * Times are milliseconds since the epoch. A flag is 0 or 1, and a boolean in the API. A count begins with 0 and is never sent. A
 * url is one that visitors can be sent to, as the `Location` header carries it. Json is kept as text. Of a secret only a hash is
 * kept, and no answer has it.
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

/** How clients send a field, the same when a link is made and when it is changed. */
export interface FieldInput {
  /** Whether only a new link takes it: for a change there is a call of its own. */
  readonly onlyNew?: true;
  /** One sentence for documentation. */
  readonly about: string;
  /** The shortest secret, characters. */
  readonly min?: number;
  /** The longest prose, word or secret, characters. */
  readonly max?: number;
  /** Whether prose may have line breaks and tabs. */
  readonly multiline?: true;
  /** The bounds of a number that is no choice. */
  readonly between?: readonly [least: number, most: number];
  /** Every value of a choice, or of a number that may be few. */
  readonly choices?: readonly (string | number)[];
  /** The option of `shorten` and `links update`: `expires` is `--expires`. */
  readonly option: string;
  /** What the option takes, and how help explains it. */
  readonly value: string;
  readonly help: string;
}

/** One field of a link. */
export interface LinkField {
  /** The column of the table `links`. */
  readonly column: string;
  readonly kind: FieldKind;
  /** Whether it may be null, for none. */
  readonly nullable?: true;
  /** Whether the statement that updates a link changes it. */
  readonly editable?: true;
  /** Whether redirects depend on it, so that a change must reach the memory of every process. */
  readonly movesTarget?: true;
  /** Whether `include` adds it to a link that is read. */
  readonly includable?: true;
  /** One sentence for documentation of answers. */
  readonly about?: string;
  readonly input?: FieldInput;
}
