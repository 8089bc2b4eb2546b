import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import type { IconName } from '../components/icons.ts';
import { Keys } from '../components/keys.tsx';
import { folderName, folders } from '../data/groups.ts';
import { sentUtm } from '../data/links/utm.ts';
import { FolderField } from '../fields/folder-field.tsx';
import { type PlainName, plainFields, textOf } from '../fields/plain.ts';
import { TagsField } from '../fields/tags-field.tsx';
import { t as fieldTexts } from '../fields/texts.ts';
import { t as ruleTexts } from '../rules/texts.ts';
import { dateAndTime, shortDate } from '../texts/format.ts';
import { CardFields } from './card.tsx';
import { cardOf, type Draft } from './draft.ts';
import { Lifetime } from './lifetime.tsx';
import { Making } from './making.tsx';
import { PasswordField } from './password-field.tsx';
import { PlainInput } from './plain-fields.tsx';
import { Redirect } from './redirect.tsx';
import { Rules } from './rules.tsx';
import type { Faults } from './save.ts';
import { t } from './texts.ts';
import { UtmFields } from './utm-fields.tsx';

/** What opens in place, below what every link has. */
export const partNames = [
  'making',
  'utm',
  'folder',
  'tags',
  'expiry',
  'password',
  'rules',
  'redirect',
  'card',
] as const;
export type Part = (typeof partNames)[number] | PlainName;

interface MoreFieldsProps {
  /** Undefined for a new link. */
  readonly linkId: string | undefined;
  /** What stands before the code. */
  readonly host: string;
  readonly draft: Draft;
  /** As it is without the changes. */
  readonly start: Draft;
  readonly faults: Faults;
  readonly parts: ReadonlySet<Part>;
  /** The part that was opened last: it comes into sight and has the focus. */
  readonly opened: Part | undefined;
  readonly onToggle: (part: Part) => void;
  readonly onChange: (changes: Partial<Draft>) => void;
}

export function MoreFields({
  linkId,
  host,
  draft,
  start,
  faults,
  parts,
  opened,
  onToggle,
  onChange,
}: MoreFieldsProps) {
  const card = cardOf(draft.card);
  const option = (part: Part, icon: IconName, label: string, value: string, keys?: string) => (
    <button
      key={part}
      type="button"
      class={`button ${value === '' ? 'quiet' : 'second'} part`}
      aria-expanded={parts.has(part)}
      onClick={() => onToggle(part)}
    >
      <Icon name={icon} />
      <span class="part-name">{label}</span>
      {value !== '' && (
        <span class="part-value cut" dir="auto">
          {value}
        </span>
      )}
      {keys !== undefined && value === '' && <Keys keys={keys} />}
      <span class="chevron">
        <Icon name="next" size={14} />
      </span>
    </button>
  );
  const section = (part: Part, heading: string | undefined, content: ComponentChildren) =>
    parts.has(part) && (
      <Section key={part} heading={heading} isOpened={opened === part}>
        {content}
      </Section>
    );
  return (
    <>
      <div class="parts" role="group" aria-label={t.builder.optionsLabel}>
        {option(
          'utm',
          'chart',
          fieldTexts.field.utm,
          Object.values(sentUtm(draft.utm) ?? {}).join(' · '),
          'u',
        )}
        {linkId === undefined && option('making', 'refresh', t.making.part, makingText(draft))}
        {option('folder', 'folder', fieldTexts.field.folder, folderName(draft.folderId) ?? '')}
        {option('tags', 'tag', fieldTexts.field.tags, draft.tags.join(', '))}
        {option('expiry', 'clock', t.limits.part, lifetimeText(draft), 'e')}
        {option('password', 'key', t.password.part, draft.password === '' ? '' : '••••')}
        {option(
          'rules',
          'filter',
          ruleTexts.rules.part,
          draft.rules.length === 0 ? '' : ruleTexts.rules.count(draft.rules.length),
          'r',
        )}
        {option('redirect', 'fold', t.redirect.part, redirectText(draft))}
        {option(
          'card',
          'share',
          fieldTexts.field.card,
          card?.title ?? card?.description ?? card?.image ?? '',
        )}
        {plainFields().map(({ name }) => {
          const typed = draft.plain[name]?.split('\n')[0] ?? '';
          return option(
            name,
            'pencil',
            textOf(name)?.label ?? name,
            typed,
            name === 'description' ? 'd' : undefined,
          );
        })}
      </div>
      {section('utm', undefined, <UtmFields utm={draft.utm} onChange={(utm) => onChange({ utm })} />)}
      {linkId === undefined &&
        section('making', t.making.part, <Making draft={draft} faults={faults} onChange={onChange} />)}
      {section(
        'folder',
        undefined,
        <FolderField
          value={draft.folderId}
          folders={folders.value ?? []}
          onChange={(folderId) => onChange({ folderId })}
        />,
      )}
      {section('tags', undefined, <TagsField value={draft.tags} onChange={(tags) => onChange({ tags })} />)}
      {faults.tags !== undefined && <p class="fault">{faults.tags}</p>}
      {section('expiry', t.limits.part, <Lifetime draft={draft} faults={faults} onChange={onChange} />)}
      {section(
        'password',
        undefined,
        <PasswordField
          password={draft.password}
          isKept={start.password === null}
          error={faults.password}
          onChange={(password) => onChange({ password })}
        />,
      )}
      {section(
        'rules',
        undefined,
        <Rules linkId={linkId} draft={draft} start={start} faults={faults} onChange={onChange} />,
      )}
      {section('redirect', t.redirect.part, <Redirect draft={draft} onChange={onChange} />)}
      {section(
        'card',
        fieldTexts.field.card,
        <CardFields
          card={draft.card}
          fault={faults.card}
          address={host + (draft.customCode.trim() || '…')}
          onChange={(next) => onChange({ card: next })}
        />,
      )}
      {plainFields().map((field) =>
        section(
          field.name,
          undefined,
          <PlainInput
            field={field}
            value={draft.plain[field.name] ?? ''}
            faults={faults}
            onInput={(text) => onChange({ plain: { ...draft.plain, [field.name]: text } })}
          />,
        ),
      )}
    </>
  );
}

interface SectionProps {
  /** Undefined where the field in it says it. */
  readonly heading: string | undefined;
  readonly isOpened: boolean;
  readonly children: ComponentChildren;
}

/** A part that is open. When the reader opens it, it comes into sight, and its first field has the focus. */
function Section({ heading, isOpened, children }: SectionProps) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = box;
    if (!isOpened || current === null) return;
    const field = current.querySelector<HTMLElement>('input, textarea, select');
    (field ?? current.querySelector<HTMLElement>('button:not([aria-expanded])'))?.focus({
      preventScroll: true,
    });
    current.scrollIntoView({ block: 'nearest' });
  }, [isOpened]);
  return (
    <section class="part-open" aria-label={heading} ref={box}>
      {heading !== undefined && <h3>{heading}</h3>}
      {children}
    </section>
  );
}

/** When a link works, in a few words; empty where nothing limits it. */
function lifetimeText({ disabled, startsAt, expiresAt, expiredUrl, maxClicks }: Draft): string {
  if (disabled) return t.limits.disabled;
  const words = [
    startsAt !== null && t.limits.from(shortDate(startsAt)),
    expiresAt !== null && t.limits.until(dateAndTime(expiresAt)),
    maxClicks.trim() !== '' && t.limits.times(Number(maxClicks)),
    startsAt === null && expiresAt === null && expiredUrl !== '' && fieldTexts.field.afterwards(expiredUrl),
  ];
  return words.filter(Boolean).join(' ');
}

/** What is unusual in how the code is made, in a few words. */
function makingText({ customCode, prefix, length, ifExists }: Draft): string {
  const words = [
    customCode.trim() === '' && [prefix.trim() && `${prefix.trim()}…`, length.trim()],
    ifExists === 'fail' && t.making.only,
  ];
  return words.flat().filter(Boolean).join(' ');
}

function redirectText({ redirectStatus, forwardQuery }: Draft): string {
  const words = [redirectStatus, forwardQuery !== null && fieldTexts.field.forwards[forwardQuery]];
  return words.filter(Boolean).join(', ');
}
