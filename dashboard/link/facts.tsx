import { base, openDialog } from '../browser/location.ts';
import { Button } from '../components/button.tsx';
import { StatusDot, Tags } from '../components/pieces.tsx';
import { hostOf } from '../data/links/addresses.ts';
import { type FullLink, stateOf } from '../data/links/links.ts';
import { referenceOf } from '../data/links/references.ts';
import { withUtm } from '../data/links/utm.ts';
import { writesWait } from '../data/writes.ts';
import { plainFields, textOf, typedOf } from '../fields/plain.ts';
import { SocialCard } from '../fields/social-card.tsx';
import { t as fieldTexts } from '../fields/texts.ts';
import { t as ruleTexts } from '../rules/texts.ts';
import { actionText, whenText } from '../rules/words.ts';
import { dateAndTime, longDate } from '../texts/format.ts';
import { t } from './texts.ts';

interface FactsProps {
  readonly link: FullLink;
  /** Disables or enables the link. Undefined if changes are not possible. */
  readonly onSwitch: (() => void) | undefined;
  readonly onUnarchive: (() => void) | undefined;
}

/** Shows a link's details on one line. */
export function Facts({ link, onSwitch, onUnarchive }: FactsProps) {
  const state = stateOf(link);
  const typed = typedOf(plainFields(), link);
  const { expiresAt, startsAt, expiredUrl, redirectStatus, forwardQuery } = link;
  return (
    <ul class="link-facts small">
      <li class={`state ${state}`}>
        <StatusDot state={state} />
        {t.states[state]}
        {state === 'disabled' && onSwitch !== undefined && (
          <Button size="small" onClick={onSwitch}>
            {t.link.switchOn}
          </Button>
        )}
      </li>
      {link.archived && (
        <li class="state">
          {t.states.archived}
          {onUnarchive !== undefined && (
            <Button size="small" onClick={onUnarchive}>
              {t.act.unarchive}
            </Button>
          )}
        </li>
      )}
      <li title={dateAndTime(link.createdAt)}>{t.link.created(longDate(link.createdAt))}</li>
      {startsAt !== null && Date.parse(startsAt) > Date.now() && (
        <li>{t.link.begins(dateAndTime(startsAt))}</li>
      )}
      <li class={state === 'soon' ? 'soon-words' : ''}>
        {expiresAt === null || expiresAt === undefined
          ? t.link.neverExpires
          : state === 'expired'
            ? t.link.expired(dateAndTime(expiresAt))
            : t.link.expires(dateAndTime(expiresAt))}
      </li>
      {link.maxClicks !== null && link.clicksLeft !== null && (
        <li>{t.link.left(link.clicksLeft, link.maxClicks)}</li>
      )}
      {link.hasPassword && (
        <li>
          {t.link.password}{' '}
          <Button
            size="small"
            disabledReason={writesWait()}
            onClick={() => openDialog('edit', referenceOf(link), { part: 'password' })}
          >
            {t.link.changePassword}
          </Button>
        </li>
      )}
      {expiredUrl !== null && <li title={expiredUrl}>{fieldTexts.field.afterwards(hostOf(expiredUrl))}</li>}
      {redirectStatus !== null && redirectStatus !== 302 && (
        <li title={fieldTexts.field.statuses[redirectStatus]}>{t.link.redirects(String(redirectStatus))}</li>
      )}
      {forwardQuery !== null && forwardQuery !== 'none' && (
        <li title={fieldTexts.field.forwardHelp[forwardQuery]}>
          {fieldTexts.field.forward}: {fieldTexts.field.forwards[forwardQuery]}
        </li>
      )}
      {link.utm !== null && (
        <li title={withUtm(link.destinationUrl, link.utm).join('')}>
          {fieldTexts.field.utm}: {Object.values(link.utm).join(' · ')}
        </li>
      )}
      {plainFields().map(
        ({ name, kind }) =>
          typed[name] !== '' &&
          name !== 'description' && (
            <li key={name}>
              {textOf(name)?.label}
              {kind !== 'flag' && `: ${typed[name]}`}
            </li>
          ),
      )}
      <li>{t.clicks(link.clicks)}</li>
      {(link.excludedToday ?? 0) > 0 && (
        <li title={t.link.excludedHelp}>{t.link.excludedToday(link.excludedToday ?? 0)}</li>
      )}
      {(link.tags ?? []).length > 0 && (
        <li class="tags">
          <Tags names={link.tags ?? []} href={(name) => `${base}/links?tag=${encodeURIComponent(name)}`} />
        </li>
      )}
    </ul>
  );
}

/** Shows the link's social card, if any. */
export function LinkCard({ link }: { readonly link: FullLink }) {
  const { card, shortUrl } = link;
  if (card === null) return null;
  return (
    <section class="link-rules" aria-label={fieldTexts.field.card}>
      <div class="part-head">
        <h2>{fieldTexts.field.card}</h2>
        <Button
          size="small"
          disabledReason={writesWait()}
          onClick={() => openDialog('edit', referenceOf(link), { part: 'card' })}
        >
          {t.link.editCard}
        </Button>
      </div>
      <SocialCard card={card} address={shortUrl.replace(/^https?:\/\//, '')} />
    </section>
  );
}

/** Describes the link's redirect rules. */
export function LinkRules({ link }: { readonly link: FullLink }) {
  const { rules } = link;
  if (rules === null || rules.length === 0) return null;
  return (
    <section class="link-rules" aria-label={ruleTexts.rules.title}>
      <div class="part-head">
        <h2>{ruleTexts.rules.shown}</h2>
        <Button
          size="small"
          disabledReason={writesWait()}
          onClick={() => openDialog('edit', referenceOf(link), { part: 'rules' })}
        >
          {ruleTexts.rules.edit}
        </Button>
      </div>
      <ol>
        {rules.map(({ name, when, to }, at) => (
          <li key={at}>
            <span class="rule-number">{at + 1}</span>
            <span class="rule-words">
              {name !== undefined && <b>{name}: </b>}
              {whenText(when)} <span class="soft">→ {actionText(to)}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
