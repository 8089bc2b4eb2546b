/**
 * A result, page or list in which the fields named by `include` are required and other optional fields are absent. If
 * the compiler does not know the members of `include`, all fields stay optional.
 */
export type Included<Result, Word, Include extends readonly unknown[]> = number extends Include['length']
  ? Result
  : Result extends readonly (infer One)[]
    ? Narrowed<One, Word, Include[number]>[]
    : Result extends { data: readonly (infer One)[] }
      ? Omit<Result, 'data'> & { data: Narrowed<One, Word, Include[number]>[] }
      : Narrowed<Result, Word, Include[number]>;

type Narrowed<One, Word, Named> = One extends unknown
  ? Omit<One, Extract<OptionalKeys<One>, Word>> & {
      [Name in Extract<keyof One, Word & Named>]: Exclude<One[Name], undefined>;
    }
  : never;

type OptionalKeys<One> = {
  [Name in keyof One]-?: undefined extends One[Name] ? Name : never;
}[keyof One];
