import { useId } from 'preact/hooks';
import type { Option } from '../components/combobox.tsx';
import { Field } from '../components/field.tsx';
import { Tokens } from '../components/tokens.tsx';
import { domainOf, domains } from '../data/domains.ts';
import { folderName, folderOptions } from '../data/groups.ts';
import { list, number } from '../texts/format.ts';
import { t } from './texts.ts';

/** Restrictions on a key or member. An empty list means no restriction. */
export interface Restrictions {
  readonly domains: readonly string[];
  readonly folders: readonly string[];
}

/** Converts restrictions to API format. */
export function restrictionsInput({ domains, folders }: Restrictions) {
  return {
    ...(domains.length > 0 && { domains: [...domains] }),
    ...(folders.length > 0 && { folders: [...folders] }),
  };
}

interface ChoicesProps {
  readonly label: string;
  readonly placeholder: string;
  readonly options: readonly Option[];
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
}

/** Field that selects one or more domains or folders. */
function Choices({ options, ...props }: ChoicesProps) {
  const id = useId();
  return (
    <Field id={id} label={props.label} isOptional>
      <Tokens
        id={id}
        {...props}
        options={options}
        labelOf={(one) => options.find(({ value }) => value === one)?.label ?? one}
      />
    </Field>
  );
}

interface RestrictionFieldsProps {
  readonly value: Restrictions;
  readonly onChange: (value: Restrictions) => void;
}

/** Fields that restrict access to domains and folders. Shown only if there are several to choose from. */
export function RestrictionFields({ value, onChange }: RestrictionFieldsProps) {
  const hosts = (domains.value ?? []).map(({ host, hostUnicode, linkCount }) => ({
    value: host,
    label: hostUnicode,
    aside: number(linkCount),
  }));
  const all = folderOptions();
  return (
    <>
      {hosts.length > 1 && (
        <Choices
          label={t.field.onDomains}
          placeholder={t.field.anyDomain}
          options={hosts}
          value={value.domains}
          onChange={(chosen) => onChange({ ...value, domains: chosen })}
        />
      )}
      {all.length > 0 && (
        <Choices
          label={t.field.inFolders}
          placeholder={t.field.anyFolder}
          options={all}
          value={value.folders}
          onChange={(chosen) => onChange({ ...value, folders: chosen })}
        />
      )}
    </>
  );
}

interface ShownRestrictions {
  readonly domains: readonly string[] | null;
  readonly folders: readonly string[] | null;
}

/** Describes the restrictions. Returns undefined if there are none. */
export function describeRestrictions({
  domains: hosts,
  folders: ids,
}: ShownRestrictions): string | undefined {
  if (hosts === null && ids === null) return undefined;
  return list([
    ...(hosts ?? []).map((host) => domainOf(host)?.hostUnicode ?? host),
    ...(ids ?? []).map((id) => folderName(id) ?? t.field.goneFolder),
  ]);
}
