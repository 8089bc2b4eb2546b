import type { LinkCard } from '../../src/client/client.ts';
import { t } from './texts.ts';

interface SocialCardProps {
  readonly card: LinkCard;
  /** Short URL without the scheme. */
  readonly address: string;
}

/**
 * Preview of a link's social card. Shows only the image's name, because the dashboard loads nothing from other servers.
 */
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
