import { normalUrl } from '../data/links/addresses.ts';
import { codeFault } from '../fields/codes.ts';
import { plainFields } from '../fields/plain.ts';
import { t as fieldTexts } from '../fields/texts.ts';
import { faultsLeft, faultsOf } from '../rules/model.ts';
import { t as ruleTexts } from '../rules/texts.ts';
import type { Draft } from './draft.ts';
import type { Part } from './parts.ts';
import type { Faults } from './save.ts';
import { t } from './texts.ts';

const isUrl = (text: string): boolean => normalUrl(text) !== undefined;

/** Returns the validation errors that can be detected before sending a request. */
export function faultsBefore(draft: Draft, isNew: boolean, isExact: boolean): Faults {
  const { url, expiresAt, startsAt, expiredUrl, maxClicks, password, card } = draft;
  const isPast = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  const isTooLate = startsAt !== null && expiresAt !== null && Date.parse(startsAt) >= Date.parse(expiresAt);
  const rules = faultsOf(draft.rules, isUrl);
  return {
    ...(url.trim() === ''
      ? { url: t.builder.destinationMissing }
      : isUrl(url)
        ? {}
        : { url: fieldTexts.field.addressWrong }),
    ...(codeFault(draft.customCode, isExact)?.kind === 'short' ? { customCode: t.builder.codeShort } : {}),
    ...(/^(?:[6-9]|[12]\d|3[0-2])?$/.test(draft.length.trim()) ? {} : { length: t.making.lengthHelp }),
    ...(isNew && isPast ? { expiresAt: fieldTexts.field.expiryWrong } : {}),
    ...(isTooLate ? { startsAt: t.limits.startsWrong } : {}),
    ...(expiredUrl.trim() === '' || isUrl(expiredUrl) ? {} : { expiredUrl: fieldTexts.field.addressWrong }),
    ...(/^\s*(?:[1-9]\d{0,8}|1000000000)?\s*$/.test(maxClicks) ? {} : { maxClicks: t.limits.maxClicksWrong }),
    ...(password && password.length < 4 ? { password: t.password.help } : {}),
    ...(card.image.trim() === '' || /^https:/i.test(normalUrl(card.image) ?? '')
      ? {}
      : { card: t.card.imageWrong }),
    ...(rules.size === 0
      ? {}
      : {
          rules: Object.fromEntries([...rules].map(([path, fault]) => [path, ruleTexts.rules.faults[fault]])),
        }),
  };
}

/** Returns the errors that still apply after an edit: the errors for unchanged fields. */
export function faultsAfter(faults: Faults, draft: Draft, changes: Partial<Draft>): Faults {
  const typed = Object.keys(changes.plain ?? {}).filter(
    (name) => changes.plain?.[name] !== draft.plain[name],
  );
  const mended = new Set(['other', ...Object.keys(changes), ...typed]);
  const left = Object.fromEntries(Object.entries(faults).filter(([name]) => !mended.has(name))) as Faults;
  if (faults.rules === undefined || changes.rules === undefined) return left;
  const rules = faultsLeft(faults.rules, draft.rules, changes.rules);
  return Object.keys(rules).length === 0 ? left : { ...left, rules };
}

const partOf: Partial<Readonly<Record<keyof Faults, Part>>> = {
  expiresAt: 'expiry',
  startsAt: 'expiry',
  expiredUrl: 'expiry',
  maxClicks: 'expiry',
  prefix: 'making',
  length: 'making',
  folderId: 'folder',
  tags: 'tags',
  card: 'card',
  password: 'password',
  rules: 'rules',
};

/** Returns the sections that contain errors. */
export function partsFor(faults: Faults): Part[] {
  return Object.keys(faults).flatMap(
    (name) => partOf[name as keyof Faults] ?? plainFields().find((field) => field.name === name)?.name ?? [],
  );
}
