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

/** Returns the domain with this host if links can be created on it, else the default domain. */
export function chosenDomain(host: string): Domain | undefined {
  return usableDomains.value.find((domain) => domain.host === host) ?? defaultDomain();
}

/** Field that selects the domain for a link or code. Hidden if there is only one domain. */
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
