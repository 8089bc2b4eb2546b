import { useId } from 'preact/hooks';
import { Field } from '../components/field.tsx';
import { Select } from '../components/select.tsx';
import { type Domain, defaultDomain, hasSeveral, usableDomains } from '../data/domains.ts';
import { t } from './texts.ts';

interface DomainFieldProps {
  /** Host of the domain. */
  readonly value: string | undefined;
  readonly onChange: (host: string) => void;
  readonly error?: string | undefined;
}

/** Returns the domain of a host on which links can be created; else the default one. */
export function chosenDomain(host: string): Domain | undefined {
  return usableDomains.value.find((domain) => domain.host === host) ?? defaultDomain();
}

/** Selects the domain of a link or code; hidden if there is only one. */
export function DomainField({ value, onChange, error }: DomainFieldProps) {
  const id = useId();
  if (!hasSeveral.value) return null;
  return (
    <Field id={id} label={t.field.domain} error={error}>
      <Select
        id={id}
        value={value ?? ''}
        options={usableDomains.value.map(({ host, hostUnicode }) => ({ value: host, label: hostUnicode }))}
        onChange={onChange}
      />
    </Field>
  );
}
