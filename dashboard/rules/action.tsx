import { Button } from '../components/button.tsx';
import { Segmented } from '../components/choices.tsx';
import { TextField } from '../components/field.tsx';
import { t as fieldTexts } from '../fields/texts.ts';
import { percent } from '../texts/format.ts';
import {
  actionKinds,
  addWay,
  faultAt,
  most,
  platforms,
  type RuleDraft,
  sharesOf,
  type WayDraft,
  withAction,
} from './model.ts';
import { t } from './texts.ts';
import { wordOf } from './words.ts';

interface ActionProps {
  readonly rule: RuleDraft;
  /** Path of the rule, such as `rules[0]`. */
  readonly path: string;
  /**
   * Whether any of the link's rules tests the visitor's language. If so, the form also asks for the destination's
   * language.
   */
  readonly isNegotiated: boolean;
  readonly faults: Readonly<Record<string, string>>;
  readonly onChange: (rule: RuleDraft) => void;
}

/** Form for a rule's action. */
export function Action({ rule, path, isNegotiated, faults, onChange }: ActionProps) {
  const { rules } = t;
  const statesLanguage =
    rule.language !== '' || (isNegotiated && !rule.when.some(({ fact, not }) => fact === 'language' && !not));
  const languageFault = faultAt(faults, `${path}.to.language`);
  return (
    <div class="rule-action">
      <Segmented
        label={rules.action}
        value={rule.action}
        options={actionKinds.map((value) => ({ value, label: rules.actions[value] }))}
        onChange={(action) => onChange(withAction(rule, action))}
      />
      {rule.action === 'app' && <AppFields rule={rule} path={path} faults={faults} onChange={onChange} />}
      {(rule.action === 'url' || rule.action === 'app') && (
        <TextField
          label={rule.action === 'app' ? rules.webUrl : rules.url}
          value={rule.url}
          placeholder={fieldTexts.field.addressHint}
          onInput={(url) => onChange({ ...rule, url })}
          error={faultAt(faults, `${path}.to.url`) ?? faults[`${path}.to`]}
          input={{ type: 'url', inputMode: 'url', maxLength: 8_192 }}
        />
      )}
      {rule.action === 'split' && <Ways rule={rule} path={path} faults={faults} onChange={onChange} />}
      {rule.action !== 'gone' && statesLanguage && (
        <TextField
          label={rules.language}
          isOptional
          value={rule.language}
          placeholder="pt-BR"
          help={rules.languageHelp}
          onInput={(language) => onChange({ ...rule, language })}
          error={languageFault}
          input={{ maxLength: 30, autocapitalize: 'off' }}
        />
      )}
      {rule.action === 'gone' && <p class="small soft">{rules.goneHelp}</p>}
    </div>
  );
}

const stores = { ios: 'https://apps.apple.com/app/id…', android: 'https://play.google.com/…' } as const;

function AppFields({ rule, path, faults, onChange }: Omit<ActionProps, 'isNegotiated'>) {
  const { rules } = t;
  return (
    <>
      <p class="small soft">{rules.appHelp}</p>
      {platforms.map((platform) => {
        const app = rule.apps[platform];
        const field = (name: 'appUrl' | 'storeUrl', placeholder: string) => (
          <TextField
            label={rules[name](wordOf('os', platform))}
            isOptional={name === 'storeUrl'}
            value={app[name]}
            placeholder={placeholder}
            onInput={(url) =>
              onChange({ ...rule, apps: { ...rule.apps, [platform]: { ...app, [name]: url } } })
            }
            error={faultAt(faults, `${path}.to.apps.${platform}.${name}`)}
            input={{ type: 'url', inputMode: 'url', maxLength: 8_192 }}
          />
        );
        return (
          <div key={platform} class="two">
            {field('appUrl', 'acme://item/1')}
            {field('storeUrl', stores[platform])}
          </div>
        );
      })}
    </>
  );
}

function Ways({ rule, path, faults, onChange }: Omit<ActionProps, 'isNegotiated'>) {
  const { rules } = t;
  const { ways } = rule;
  const shares = sharesOf(ways);
  const change = (at: number, changes: Partial<WayDraft>) =>
    onChange({ ...rule, ways: ways.map((way, place) => (place === at ? { ...way, ...changes } : way)) });
  return (
    <div class="split-ways">
      {ways.map((way, at) => (
        <div key={way.key} class="way">
          <TextField
            label={rules.way(at + 1)}
            aside={rules.share(percent(shares[at] ?? 0))}
            value={way.url}
            placeholder={fieldTexts.field.addressHint}
            onInput={(url) => change(at, { url })}
            error={faultAt(faults, `${path}.to.split[${at}].url`)}
            input={{ type: 'url', inputMode: 'url', maxLength: 8_192 }}
          />
          <TextField
            label={rules.weight}
            value={way.weight}
            onInput={(weight) => change(at, { weight })}
            error={faultAt(faults, `${path}.to.split[${at}].weight`)}
            input={{ type: 'number', inputMode: 'decimal', min: 0, step: 'any' }}
          />
          <Button
            kind="quiet"
            size="small"
            icon="close"
            label={rules.removeWay(at + 1)}
            onClick={() => onChange({ ...rule, ways: ways.toSpliced(at, 1) })}
          />
        </div>
      ))}
      {ways.length === 0 && <p class="fault">{faultAt(faults, `${path}.to`)}</p>}
      <p class="small soft">{rules.splitHelp}</p>
      <Button
        size="small"
        icon="plus"
        disabledReason={ways.length >= most.ways ? rules.tooMany(most.ways) : undefined}
        onClick={() => onChange(addWay(rule))}
      >
        {rules.addWay}
      </Button>
    </div>
  );
}
