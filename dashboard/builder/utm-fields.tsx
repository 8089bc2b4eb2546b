import { useEffect, useId, useState } from 'preact/hooks';
import { Combobox } from '../components/combobox.tsx';
import { Field } from '../components/field.tsx';
import { Icon } from '../components/icon.tsx';
import { MenuButton } from '../components/menu.tsx';
import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';
import { rowsNow } from '../data/links/list.ts';
import { fullUtm, sentUtm, splitUtm, tidy, type Utm, type UtmName, utmNames } from '../data/links/utm.ts';
import { notify, notifyWithUndo } from '../data/undo.ts';
import { writesWait } from '../data/writes.ts';
import { number } from '../texts/format.ts';
import { t } from './texts.ts';

type Template = Awaited<ReturnType<typeof api.listUtmTemplates>>[number];

interface UtmFieldsProps {
  readonly utm: Utm;
  readonly onChange: (utm: Utm) => void;
}

/** UTM fields. Suggests previously used values, to keep the spelling consistent. */
export function UtmFields({ utm, onChange }: UtmFieldsProps) {
  const [templates, setTemplates] = useState<readonly Template[]>([]);
  const read = () => api.listUtmTemplates().then(setTemplates, () => {});
  useEffect(() => void read(), []);
  const used = usedValues();
  const sent = sentUtm(utm);
  const known = templates.find((one) => JSON.stringify(one.utm) === JSON.stringify(sent));
  const keep = async ({ name, utm }: Pick<Template, 'name' | 'utm'>) => {
    await api.createUtmTemplate({ name, utm });
    await read();
  };
  /** Saves the values as a template, or deletes the template that already contains these values. */
  const save = async () => {
    if (sent === null) return;
    try {
      if (known === undefined) {
        const name = [...Object.values(sent).join(' · ')].slice(0, 50).join('');
        await keep({ name, utm: sent });
        return notify(t.builder.utmKept(name));
      }
      await api.deleteUtmTemplate(known.id);
      await read();
      notifyWithUndo(t.builder.utmDropped(known.name), t.builder.utmKept(known.name), () => keep(known));
    } catch (error) {
      showFailure(error);
    }
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
              onSelect: () => onChange(fullUtm(template.utm)),
            })),
            ...(templates.length === 0 ? [] : [undefined]),
            {
              label: known === undefined ? t.builder.utmSave : t.builder.utmDrop,
              icon: known === undefined ? ('plus' as const) : ('bin' as const),
              onSelect: () => void save(),
              disabledReason: sent === null ? t.builder.utmNone : writesWait(),
            },
          ]}
        >
          {t.builder.utmTemplates}
        </MenuButton>
      </div>
      <div class="utm-grid">
        {utmNames.map((name) => (
          <UtmField
            key={name}
            name={name}
            value={utm[name]}
            used={used[name]}
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
  readonly onChange: (value: string) => void;
}

function UtmField({ name, value, used, onChange }: UtmFieldProps) {
  const id = useId();
  const times = used.get(tidy(name, value));
  const options = [...used]
    .toSorted(([, a], [, b]) => b - a)
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
        value={value}
        placeholder={t.builder.utmHints[name]}
        options={options}
        isChosen={(one) => one === value}
        create={(text) => ({ value: text, label: t.use(tidy(name, text)) })}
        onText={onChange}
        onTake={(option) => onChange(option.value)}
      />
    </Field>
  );
}

/** Returns the UTM values used by the loaded links, with the number of links per value. */
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
