import { base, openDialog } from '../browser/location.ts';
import { Button } from '../components/button.tsx';
import { StatusDot, Tags } from '../components/pieces.tsx';
import { SocialCard } from '../components/social-card.tsx';
import { stateOf, type WholeLink } from '../data/links.ts';
import { withUtm } from '../data/utm.ts';
import { writesWait } from '../data/writes.ts';
import { actionText, whenText } from '../rules/words.ts';
import { dateAndTime, longDate, relative } from '../texts/format.ts';
import { t } from '../texts/later.ts';

interface FactsProps {
  readonly link: WholeLink;
  /** Undefined while nothing can be written. */
  readonly onSwitch: (() => void) | undefined;
  readonly onUnarchive: (() => void) | undefined;
}

/** What is known of a link, in one line. */
export function Facts({ link, onSwitch, onUnarchive }: FactsProps) {
  const state = stateOf(link);
  const { expiresAt, startsAt, expiredUrl, updatedAt, redirectStatus, forwardQuery } = link;
  const isChanged = updatedAt !== undefined && Date.parse(updatedAt) - Date.parse(link.createdAt) > 1_000;
  return (
    <ul class="link-facts small">
      <li class={`state ${state}`}>
        <StatusDot state={state} />
        {t.states[state]}
        {state === 'disabled' && onSwitch !== undefined && (
          <Button size="small" onClick={onSwitch}>
            {t.limits.switchOn}
          </Button>
        )}
      </li>
      {link.archived && (
        <li class="state">
          {t.links.statuses.archived}
          {onUnarchive !== undefined && (
            <Button size="small" onClick={onUnarchive}>
              {t.links.unarchive}
            </Button>
          )}
        </li>
      )}
      <li title={dateAndTime(link.createdAt)}>{t.link.created(longDate(link.createdAt))}</li>
      {startsAt !== null && Date.parse(startsAt) > Date.now() && (
        <li>{t.limits.begins(dateAndTime(startsAt))}</li>
      )}
      <li class={state === 'soon' ? 'soon-words' : ''}>
        {expiresAt === null || expiresAt === undefined
          ? t.link.neverExpires
          : state === 'expired'
            ? t.link.expired(dateAndTime(expiresAt))
            : t.link.expires(dateAndTime(expiresAt))}
      </li>
      {link.maxClicks !== null && link.clicksLeft !== null && (
        <li>{t.limits.left(link.clicksLeft, link.maxClicks)}</li>
      )}
      {link.hasPassword && (
        <li>
          {t.password.fact}{' '}
          <Button
            size="small"
            disabledReason={writesWait()}
            onClick={() => openDialog('edit', link.shortCode, { part: 'password' })}
          >
            {t.password.change}
          </Button>
        </li>
      )}
      {expiredUrl !== null && <li title={expiredUrl}>{t.limits.afterwards(new URL(expiredUrl).host)}</li>}
      {redirectStatus !== null && redirectStatus !== 302 && (
        <li title={t.redirect.statuses[redirectStatus]}>{t.redirect.fact(String(redirectStatus))}</li>
      )}
      {forwardQuery !== null && forwardQuery !== 'none' && (
        <li title={t.redirect.forwardHelp[forwardQuery]}>
          {t.redirect.forward}: {t.redirect.forwards[forwardQuery]}
        </li>
      )}
      {link.utm !== null && (
        <li title={withUtm(link.destinationUrl, link.utm).join('')}>
          {t.builder.utmShort}: {Object.values(link.utm).join(' · ')}
        </li>
      )}
      {isChanged && <li title={dateAndTime(updatedAt)}>{t.link.changed(relative(updatedAt))}</li>}
      <li>{t.link.clicks(link.clicks)}</li>
      {(link.tags ?? []).length > 0 && (
        <li class="tags">
          <Tags names={link.tags ?? []} href={(name) => `${base}/links?tag=${encodeURIComponent(name)}`} />
        </li>
      )}
    </ul>
  );
}

/** What chats and networks show of the link. */
export function LinkCard({ link: { card, shortCode, shortUrl } }: { readonly link: WholeLink }) {
  if (card === null) return null;
  return (
    <section class="link-rules" aria-label={t.card.part}>
      <div class="part-head">
        <h2>{t.card.part}</h2>
        <Button
          size="small"
          disabledReason={writesWait()}
          onClick={() => openDialog('edit', shortCode, { part: 'card' })}
        >
          {t.card.edit}
        </Button>
      </div>
      <SocialCard card={card} address={shortUrl.replace(/^https?:\/\//, '')} />
    </section>
  );
}

/** Where some visitors go instead, in words. */
export function LinkRules({ link: { rules, shortCode } }: { readonly link: WholeLink }) {
  if (rules === null || rules.length === 0) return null;
  return (
    <section class="link-rules" aria-label={t.rules.title}>
      <div class="part-head">
        <h2>{t.rules.shown}</h2>
        <Button
          size="small"
          disabledReason={writesWait()}
          onClick={() => openDialog('edit', shortCode, { part: 'rules' })}
        >
          {t.rules.edit}
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
