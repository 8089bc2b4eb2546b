import { useEffect, useId, useState } from 'preact/hooks';
import { Combobox } from '../../components/combobox.tsx';
import { Field } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { MenuButton } from '../../components/menu.tsx';
import { explain } from '../../components/states.tsx';
import { rowsNow } from '../../data/link-list.ts';
import { tell } from '../../data/undo.ts';
import { number } from '../../texts/format.ts';
import { t } from '../../texts/later.ts';
import { keepTemplates, keptTemplates, type Template } from './kept.ts';
import { noUtm, splitUtm, tidy, type Utm, type UtmName, utmNames } from './utm.ts';

interface UtmFieldsProps {
  readonly utm: Utm;
  readonly onChange: (utm: Utm) => void;
  readonly isFirst: boolean;
}

/** Where visitors come from, in one spelling: what was used before is offered. */
export function UtmFields({ utm, onChange, isFirst }: UtmFieldsProps) {
  const [templates, setTemplates] = useState<readonly Template[]>([]);
  useEffect(() => {
    void keptTemplates().then(setTemplates);
  }, []);
  const used = usedValues();
  const save = () => {
    const name = [utm.source, utm.medium].filter(Boolean).join(' · ');
    if (name === '') return;
    const next = [...templates.filter((one) => one.name !== name), { name, utm }];
    setTemplates(next);
    keepTemplates(next).catch((error) => tell(explain(error), { isError: true }));
  };
  return (
    <fieldset class="utm">
      <div class="utm-head">
        <h3>{t.builder.utm}</h3>
        <MenuButton
          size="small"
          icon="bookmark"
          menuLabel={t.builder.utmTemplates}
          align="end"
          items={() => [
            ...templates.map((template) => ({
              label: template.name,
              onSelect: () => onChange({ ...noUtm, ...template.utm }),
            })),
            ...(templates.length === 0 ? [] : [undefined]),
            {
              label: t.builder.utmSave,
              icon: 'plus' as const,
              onSelect: save,
              disabledReason: utm.source === '' ? t.builder.utmNone : undefined,
            },
          ]}
        >
          {t.builder.utmTemplates}
        </MenuButton>
      </div>
      <div class="utm-grid">
        {utmNames.map((name, at) => (
          <UtmField
            key={name}
            name={name}
            value={utm[name]}
            used={used[name]}
            isFirst={isFirst && at === 0}
            onChange={(value) => onChange({ ...utm, [name]: value })}
          />
        ))}
      </div>
      <p class="small soft hint">
        <Icon name="help" size={14} />
        {t.builder.utmLower}
      </p>
    </fieldset>
  );
}

interface UtmFieldProps {
  readonly name: UtmName;
  readonly value: string;
  readonly used: ReadonlyMap<string, number>;
  readonly isFirst: boolean;
  readonly onChange: (value: string) => void;
}

function UtmField({ name, value, used, isFirst, onChange }: UtmFieldProps) {
  const id = useId();
  const times = used.get(tidy(name, value));
  const options = [...used]
    .filter(([known]) => known.includes(value.trim().toLowerCase()) && known !== value)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 6)
    .map(([known, count]) => ({ value: known, label: known, aside: number(count) }));
  const isOptional = name === 'term' || name === 'content';
  return (
    <Field
      id={id}
      label={t.builder.utmFields[name]}
      aside={times === undefined ? (isOptional ? t.optional : undefined) : t.builder.utmUsed(times)}
    >
      <Combobox
        id={id}
        label={t.builder.utmFields[name]}
        text={value}
        placeholder={t.builder.utmHints[name]}
        options={options}
        isFirst={isFirst}
        onText={onChange}
        onTake={(option) => onChange(option.value)}
      />
    </Field>
  );
}

/** The values of the links that are loaded, with how often each is used. */
function usedValues(): Readonly<Record<UtmName, ReadonlyMap<string, number>>> {
  const maps = Object.fromEntries(utmNames.map((name) => [name, new Map<string, number>()]));
  for (const { destinationUrl, utm } of rowsNow()) {
    const known = { ...splitUtm(destinationUrl).utm, ...utm };
    for (const name of utmNames) {
      const value = known[name] ?? '';
      if (value !== '') maps[name]?.set(value, (maps[name].get(value) ?? 0) + 1);
    }
  }
  return maps as unknown as Readonly<Record<UtmName, ReadonlyMap<string, number>>>;
}
