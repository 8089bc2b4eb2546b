import type { z } from 'zod';
import type { CallOptions } from '../../src/client/call.ts';
import type { Calls } from '../../src/client/endpoints.ts';
import type { Endpoint, FileBody, QueryOf, SuccessOf } from '../../src/contract/endpoint.ts';
import type { Endpoints } from '../../src/contract/endpoints/endpoints.ts';

// The compiler checks that each type in src/client/endpoints.ts equals the type that zod infers from the contract.

type Readable<T> = T extends readonly (infer I)[] ? readonly I[] : T;
/** Fields of a request as the client accepts them. A field with a default is optional. */
type Inputs<S> = S extends z.ZodRawShape
  ? { [K in keyof S as undefined extends z.input<S[K]> ? never : K]: z.input<S[K]> } & {
      [K in keyof S as undefined extends z.input<S[K]> ? K : never]?: z.input<S[K]>;
    }
  : Record<never, never>;
type Input<E extends Endpoint> = Sent<E> & { [K in keyof QueryOf<E>]: Readable<QueryOf<E>[K]> };
type Sent<E extends Endpoint> = E extends { sent: infer S extends z.ZodType }
  ? z.input<S>
  : Inputs<E['body']>;
/** Type of a path argument. A revision is accepted in the form in which it is returned. */
type PathArgument<Name extends string> = Name extends 'revision' ? number | string : string;
type PathArguments<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? [PathArgument<Name>, ...PathArguments<Rest>]
  : Path extends `${string}:${infer Name}`
    ? [PathArgument<Name>]
    : [];
type InputArgument<I> = [keyof I] extends [never]
  ? []
  : Partial<I> extends I
    ? [input?: I | undefined]
    : [input: I];
type Arguments<E extends Endpoint> = [
  ...PathArguments<E['path']>,
  ...InputArgument<Input<E>>,
  options?: CallOptions | undefined,
];
type Result<S> = S extends FileBody
  ? Blob
  : S extends { success: true }
    ? S extends { pagination: unknown }
      ? Omit<S, 'success'>
      : S[Exclude<keyof S, 'success'>]
    : undefined;

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? 'same' : 'lacks something') : 'holds something else';

type Proof = {
  readonly [Name in Exclude<keyof Endpoints, 'events'>]: {
    readonly takes: Same<Parameters<Calls[Name]>, Arguments<Endpoints[Name]>>;
    readonly gives: Same<
      Awaited<ReturnType<Calls[Name]>>,
      Endpoints[Name]['success'] extends { isStream: true }
        ? ReadableStream<Uint8Array>
        : Result<SuccessOf<Endpoints[Name]>>
    >;
  };
};
void ({} as Proof satisfies Record<keyof Calls, { readonly takes: 'same'; readonly gives: 'same' }>);
