import { useId } from 'preact/hooks';
import { Field } from '../components/field.tsx';
import { Tokens } from '../components/tokens.tsx';
import { domainOf, domains } from '../data/domains.ts';
import { folderName, folders } from '../data/groups.ts';
import { list, number } from '../texts/format.ts';
import { t } from './texts.ts';

/** What a key or a person is bound to; nothing named binds to nothing. */
export interface Bounds {
  readonly domains: readonly string[];
  readonly folders: readonly string[];
}

/** The same, as the API is asked for it. */
export function boundsAsked({ domains, folders }: Bounds) {
  return {
    ...(domains.length > 0 && { domains: [...domains] }),
    ...(folders.length > 0 && { folders: [...folders] }),
  };
}

interface Choice {
  readonly value: string;
  readonly name: string;
  readonly linkCount: number;
}

interface ChoicesProps {
  readonly label: string;
  readonly placeholder: string;
  readonly choices: readonly Choice[];
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
}

/** Several of what the account has, found by typing. */
function Choices({ label, placeholder, choices, value, onChange }: ChoicesProps) {
  const id = useId();
  const nameOf = (one: string) => choices.find((choice) => choice.value === one)?.name ?? one;
  const optionsFor = (text: string) =>
    choices
      .filter(
        (one) => !value.includes(one.value) && one.name.toLowerCase().includes(text.trim().toLowerCase()),
      )
      .slice(0, 8)
      .map(({ value: one, name, linkCount }) => ({ value: one, label: name, aside: number(linkCount) }));
  return (
    <Field id={id} label={label} isOptional>
      <Tokens
        id={id}
        label={label}
        placeholder={placeholder}
        value={value}
        onChange={onChange}
        labelOf={nameOf}
        optionsFor={optionsFor}
        readText={(text) => optionsFor(text)[0]?.value}
        opensOnFocus
      />
    </Field>
  );
}

interface BoundsFieldsProps {
  readonly value: Bounds;
  readonly onChange: (value: Bounds) => void;
}

/** To which domains and folders something is bound; only where there are several to choose from. */
export function BoundsFields({ value, onChange }: BoundsFieldsProps) {
  const hosts = (domains.value ?? []).map(({ host, hostUnicode, linkCount }) => ({
    value: host,
    name: hostUnicode,
    linkCount,
  }));
  const all = (folders.value ?? []).map(({ id, name, linkCount }) => ({ value: id, name, linkCount }));
  return (
    <>
      {hosts.length > 1 && (
        <Choices
          label={t.field.onDomains}
          placeholder={t.field.anyDomain}
          choices={hosts}
          value={value.domains}
          onChange={(chosen) => onChange({ ...value, domains: chosen })}
        />
      )}
      {all.length > 0 && (
        <Choices
          label={t.field.inFolders}
          placeholder={t.field.anyFolder}
          choices={all}
          value={value.folders}
          onChange={(chosen) => onChange({ ...value, folders: chosen })}
        />
      )}
    </>
  );
}

interface ShownBounds {
  readonly domains: readonly string[] | null;
  readonly folders: readonly string[] | null;
}

/** In words; undefined for what is bound to nothing. */
export function boundsWords({ domains: hosts, folders: ids }: ShownBounds): string | undefined {
  if (hosts === null && ids === null) return undefined;
  return list([
    ...(hosts ?? []).map((host) => domainOf(host)?.hostUnicode ?? host),
    ...(ids ?? []).map((id) => folderName(id) ?? t.field.goneFolder),
  ]);
}
