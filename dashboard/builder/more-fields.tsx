import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import type { IconName } from '../components/icons.ts';
import { folderName, folders } from '../data/groups.ts';
import { sentUtm } from '../data/links/utm.ts';
import { FolderField } from '../fields/folder-field.tsx';
import { type PlainName, plainFields, textOf } from '../fields/plain.ts';
import { PlainInput } from '../fields/plain-input.tsx';
import { TagsField } from '../fields/tags-field.tsx';
import { t as fieldTexts } from '../fields/texts.ts';
import { t as ruleTexts } from '../rules/texts.ts';
import { dateAndTime, number, shortDate } from '../texts/format.ts';
import { CardFields } from './card.tsx';
import { cardOf, type Draft } from './draft.ts';
import type { Fields } from './form.ts';
import { Lifetime } from './lifetime.tsx';
import { Making } from './making.tsx';
import type { Part } from './parts.ts';
import { PasswordField } from './password-field.tsx';
import { Placeholders } from './placeholders.tsx';
import { Redirect } from './redirect.tsx';
import { Rules } from './rules.tsx';
import { t } from './texts.ts';
import { UtmFields } from './utm-fields.tsx';

interface MoreFieldsProps {
  /** Undefined for a new link. */
  readonly linkId: string | undefined;
  /** Host shown before the code. */
  readonly host: string;
  /** Draft when the form was opened. */
  readonly start: Draft;
  readonly fields: Fields;
}

interface Row {
  readonly name: Part;
  readonly icon: IconName;
  readonly label: () => string;
  /** Returns a short summary of the section's values. Empty if none is set. */
  readonly value: (draft: Draft) => string;
  /** Set if the section has a heading. Omitted if the section's field has its own label. */
  readonly hasHeading?: true;
  /** Set if the section is for new links only. */
  readonly isForNew?: true;
  readonly content: (props: MoreFieldsProps) => ComponentChildren;
}

const rows: readonly Row[] = [
  {
    name: 'utm',
    icon: 'chart',
    label: () => fieldTexts.field.utm,
    value: ({ utm }) => Object.values(sentUtm(utm) ?? {}).join(' · '),
    content: ({ fields: { draft, change } }) => (
      <UtmFields utm={draft.utm} onChange={(utm) => change({ utm })} />
    ),
  },
  {
    name: 'making',
    isForNew: true,
    icon: 'refresh',
    label: () => t.making.part,
    value: makingText,
    hasHeading: true,
    content: ({ fields: { draft, faults, change } }) => (
      <Making draft={draft} faults={faults} onChange={change} />
    ),
  },
  {
    name: 'folder',
    icon: 'folder',
    label: () => fieldTexts.field.folder,
    value: ({ folderId }) => folderName(folderId) ?? '',
    content: ({ fields: { draft, change } }) => (
      <FolderField
        value={draft.folderId}
        folders={folders.value ?? []}
        onChange={(folderId) => change({ folderId })}
      />
    ),
  },
  {
    name: 'tags',
    icon: 'tag',
    label: () => fieldTexts.field.tags,
    value: ({ tags }) => tags.join(', '),
    content: ({ fields: { draft, faults, change } }) => (
      <>
        <TagsField value={draft.tags} onChange={(tags) => change({ tags })} />
        {faults.tags !== undefined && <p class="fault">{faults.tags}</p>}
      </>
    ),
  },
  {
    name: 'expiry',
    icon: 'clock',
    label: () => t.limits.part,
    value: lifetimeText,
    hasHeading: true,
    content: ({ fields: { draft, faults, change } }) => (
      <Lifetime draft={draft} faults={faults} onChange={change} />
    ),
  },
  {
    name: 'password',
    icon: 'key',
    label: () => t.password.part,
    value: ({ password }) => (password === '' ? '' : '••••'),
    content: ({ start, fields: { draft, faults, change } }) => (
      <PasswordField
        password={draft.password}
        isKept={start.password === null}
        error={faults.password}
        onChange={(password) => change({ password })}
      />
    ),
  },
  {
    name: 'rules',
    icon: 'filter',
    label: () => ruleTexts.rules.part,
    value: ({ rules }) => (rules.length === 0 ? '' : number(rules.length)),
    content: ({ linkId, start, fields: { draft, faults, change } }) => (
      <Rules linkId={linkId} draft={draft} start={start} faults={faults} onChange={change} />
    ),
  },
  {
    name: 'redirect',
    icon: 'fold',
    label: () => t.redirect.part,
    value: redirectText,
    hasHeading: true,
    content: ({ fields: { draft, change } }) => <Redirect draft={draft} onChange={change} />,
  },
  {
    name: 'card',
    icon: 'share',
    label: () => fieldTexts.field.card,
    value: ({ card }) => {
      const shown = cardOf(card);
      return shown?.title ?? shown?.description ?? shown?.image ?? '';
    },
    hasHeading: true,
    content: ({ host, fields: { draft, faults, change } }) => (
      <CardFields
        card={draft.card}
        fault={faults.card}
        address={host + (draft.customCode.trim() || '…')}
        onChange={(card) => change({ card })}
      />
    ),
  },
];

const plainIcons: Partial<Record<string, IconName>> = {
  externalId: 'hash',
  language: 'globe',
  checkDestination: 'offline',
};

/** Returns rows for the fields without their own form control. */
function plainRows(): readonly Row[] {
  return plainFields().map((field) => {
    const { name } = field;
    return {
      name,
      icon: plainIcons[name] ?? 'pencil',
      label: () => textOf(name)?.label ?? name,
      value: ({ plain }) => plain[name]?.split('\n')[0] ?? '',
      content: ({ host, fields: { draft, faults, change } }) => (
        <>
          <PlainInput
            field={field}
            {...(textOf(name) ?? { label: name })}
            value={draft.plain[name] ?? ''}
            error={faults[name as Exclude<PlainName, 'rules'>]}
            onInput={(text) => change({ plain: { ...draft.plain, [name]: text } })}
          />
          {name === 'template' && draft.plain[name] && (
            <Placeholders
              url={draft.url}
              shortUrl={host + (draft.customCode.trim() || '…')}
              onUrl={(url) => change({ url })}
            />
          )}
        </>
      ),
    };
  });
}

/** Optional fields, with a button for each section and the open sections below. */
export function MoreFields(props: MoreFieldsProps) {
  const { draft, parts, opened, toggle } = props.fields;
  const isNew = props.linkId === undefined;
  const shown = [...rows, ...plainRows()].filter((row) => isNew || !row.isForNew);
  return (
    <>
      <div class="parts" role="group" aria-label={t.builder.optionsLabel}>
        {shown.map(({ name, icon, label, value }) => (
          <PartButton
            key={name}
            icon={icon}
            label={label()}
            value={value(draft)}
            isOpen={parts.has(name)}
            onToggle={() => toggle(name)}
          />
        ))}
      </div>
      {shown
        .filter(({ name }) => parts.has(name))
        .map(({ name, label, hasHeading, content }) => (
          <Section key={name} heading={hasHeading && label()} isOpened={opened === name}>
            {content(props)}
          </Section>
        ))}
    </>
  );
}

interface PartButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly value: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function PartButton({ icon, label, value, isOpen, onToggle }: PartButtonProps) {
  return (
    <button
      type="button"
      class={`button ${value === '' ? 'quiet' : 'second'} part`}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      <Icon name={icon} />
      <span class="part-name">{label}</span>
      {/* While the section is open, a check mark replaces the value, so that typing does not change the button's width.
       */}
      {value !== '' && isOpen && <Icon name="check" size={14} />}
      {value !== '' && !isOpen && (
        <span class="part-value cut" dir="auto">
          {value}
        </span>
      )}
      <span class="chevron">
        <Icon name="next" size={14} />
      </span>
    </button>
  );
}

interface SectionProps {
  /** Undefined if the section's field has its own label. */
  readonly heading: string | undefined;
  readonly isOpened: boolean;
  readonly children: ComponentChildren;
}

/** An open section. When the user opens a section, it is scrolled into view and its first field is focused. */
function Section({ heading, isOpened, children }: SectionProps) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = box;
    if (!isOpened || current === null) return;
    // Scroll first, to leave room for a list that opens on focus.
    current.scrollIntoView({ block: 'nearest' });
    const field = current.querySelector<HTMLElement>('input, textarea, select');
    (field ?? current.querySelector<HTMLElement>('button:not([aria-expanded])'))?.focus({
      preventScroll: true,
    });
  }, [isOpened]);
  return (
    <section class="part-open" aria-label={heading} ref={box}>
      {heading !== undefined && <h3>{heading}</h3>}
      {children}
    </section>
  );
}

/** Summarizes the link's lifetime. Returns an empty string if the lifetime is unlimited. */
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

/** Summarizes the non-default options for the code. */
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
