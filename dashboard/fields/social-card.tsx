import type { LinkCard } from '../../src/client/client.ts';
import { t } from './texts.ts';

interface SocialCardProps {
  readonly card: LinkCard;
  /** The short address without its scheme. */
  readonly address: string;
}

/** The card of a link, much as networks draw it. The image is named alone: no page of ours loads what others serve. */
export function SocialCard({ card: { title, description, image }, address }: SocialCardProps) {
  const host = URL.parse(image ?? '')?.host;
  return (
    <div class="social-card" role="group" aria-label={t.field.cardDrawn}>
      {host !== undefined && <p class="image label soft">{t.field.cardImage(host)}</p>}
      <p class="label soft">{address.replace(/\/.*/, '')}</p>
      <p class="name" dir="auto">
        {title ?? address}
      </p>
      {description !== undefined && (
        <p class="small soft" dir="auto">
          {description}
        </p>
      )}
    </div>
  );
}
