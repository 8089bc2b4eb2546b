import {
  type Account,
  type Body,
  codeRule,
  type Expected,
  guarded,
  type Holder,
  isReserved,
  type Key,
  keyOf,
  type Link,
  type Model,
  ok,
  once,
  onLink,
  origin,
  type Problem,
  reading,
  refuse,
  refuseFields,
  shortUrl,
  textProblem,
  time,
  touch,
  writing,
} from './basics.ts';

const mostAliases = 20;

export function holderOf(model: Model, domain: string, code: string): Holder | undefined {
  return model.codes.get(keyOf(domain, code));
}

export function isFree(model: Model, account: Account, domain: string, code: string): boolean {
  const holder = holderOf(model, domain, code);
  return holder === undefined || (!holder.live && holder.account === account);
}

export function takeCode(
  model: Model,
  account: Account,
  link: Link,
  code: string,
  alias: string | null = null,
): void {
  model.codes.set(keyOf(link.domain, code), { account, link, live: true, alias });
}

/** Returns a link's aliases, sorted. */
export function aliasesOf(model: Model, link: Link): string[] {
  return [...model.codes]
    .filter(([, holder]) => holder.link === link && holder.alias !== null)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { alias }]) => String(alias));
}

/** Enables or disables a link's codes. Codes that another link has taken over stay with that link. */
export function setLive(model: Model, link: Link, live: boolean): void {
  for (const holder of model.codes.values()) {
    if (holder.link === link && holder.alias !== null) holder.live = live;
  }
  const own = holderOf(model, link.domain, link.code);
  if (own === undefined) return;
  own.live = live;
  own.link = link;
  own.alias = null;
}

function problemsOf({ customCode }: Body): { shape: Problem[]; rules: Problem[] } {
  const missing: Problem = [
    'customCode',
    customCode === undefined ? 'missing' : 'wrong_type',
    'VALIDATION_ERROR',
  ];
  const shape = typeof customCode === 'string' ? textProblem('customCode', customCode, 3, 50) : [missing];
  return { shape, rules: codeRule(customCode) };
}

/** Returns the error if a link cannot get another code. */
function refusal(model: Model, { account }: Key, link: Link, code: string): Expected | undefined {
  if (aliasesOf(model, link).length >= mostAliases) return refuse('LIMIT_REACHED');
  return isFree(model, account, link.domain, code) ? undefined : refuse('CUSTOM_CODE_TAKEN');
}

export function changeCode(model: Model, key: Key, id: string, body: Body): Expected {
  const { shape, rules } = problemsOf(body);
  return guarded(key, writing, [...shape, ...rules], () =>
    onLink(key, id, (link) => {
      const [code, old] = [String(body['customCode']), link.code];
      if (isReserved(link.domain, code)) return refuse('CUSTOM_CODE_RESERVED');
      if (code.toLowerCase() !== old.toLowerCase()) {
        const holder = holderOf(model, link.domain, code);
        const refused =
          holder?.link === link && holder.alias !== null ? undefined : refusal(model, key, link, code);
        if (refused !== undefined) return refused;
        takeCode(model, key.account, link, code);
        takeCode(model, key.account, link, old, old);
      }
      if (code !== old) {
        link.code = code;
        touch(model, link);
      }
      const shown = { id: link.id, shortCode: code, shortUrl: shortUrl(link) };
      return ok({ ...shown, updatedAt: time(link.updatedAt) });
    }),
  );
}

export function addAlias(model: Model, key: Key, id: string, body: Body, name: string | undefined): Expected {
  const { shape, rules } = problemsOf(body);
  const perform = (): Expected => {
    const problems = [...shape, ...rules];
    if (problems.length > 0) return refuseFields(problems);
    return onLink(key, id, (link) => {
      const code = String(body['customCode']);
      if (isReserved(link.domain, code)) return refuse('CUSTOM_CODE_RESERVED');
      if (code.toLowerCase() === link.code.toLowerCase()) return refuse('CUSTOM_CODE_TAKEN');
      const holder = holderOf(model, link.domain, code);
      if (holder?.link === link && holder.alias !== null) return ok(shownAlias(link, holder.alias));
      const refused = refusal(model, key, link, code);
      if (refused !== undefined) return refused;
      takeCode(model, key.account, link, code, code);
      touch(model, link);
      const answer = { success: true, data: shownAlias(link, code) };
      const host = link.domain === '' ? new URL(origin).host : link.domain;
      const { domain } = link;
      return {
        kind: 'json',
        status: 201,
        body: answer,
        // The `Location` header of a replayed response must also point to the alias, even if the account's default
        // domain has changed in the meantime.
        get location() {
          const query = domain === key.account.domain ? '' : `?domain=${host}`;
          return `${origin}/api/v1/aliases/${encodeURIComponent(code)}${query}`;
        },
      };
    });
  };
  const request = `alias ${id} ${JSON.stringify({ customCode: body['customCode'] })}`;
  return guarded(key, writing, [], () => once(model, key, name, request, shape, rules, perform));
}

function shownAlias({ domain }: Link, code: string) {
  return { code, shortUrl: shortUrl({ domain, code }) };
}

export function listAliases(model: Model, key: Key, id: string): Expected {
  return guarded(key, reading, [], () =>
    onLink(key, id, (link) => ok(aliasesOf(model, link).map((alias) => shownAlias(link, alias)))),
  );
}

export function removeAlias(model: Model, key: Key, code: string): Expected {
  return guarded(key, writing, [], () => {
    const holder = holderOf(model, key.account.domain, code);
    const isAlias = holder?.live && holder.alias !== null && holder.account === key.account;
    if (!isAlias) return refuse('ALIAS_NOT_FOUND');
    Object.assign(holder, { live: false, alias: null });
    touch(model, holder.link);
    return { kind: 'nothing', status: 204 };
  });
}
