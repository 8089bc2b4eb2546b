import { TextField } from '../components/field.tsx';
import { SocialCard } from '../fields/social-card.tsx';
import { type CardDraft, cardOf } from './draft.ts';
import { t } from './texts.ts';

interface CardFieldsProps {
  readonly card: CardDraft;
  /** Validation error for the card's image. */
  readonly fault: string | undefined;
  /** Short URL without the scheme. */
  readonly address: string;
  readonly onChange: (card: CardDraft) => void;
}

/** Fields for the social card, with a preview. */
export function CardFields({ card, fault, address, onChange }: CardFieldsProps) {
  const drawn = cardOf(card);
  return (
    <div class="stack part-fields">
      <p class="small soft">{t.card.about}</p>
      <TextField
        label={t.card.title}
        isOptional
        value={card.title}
        onInput={(title) => onChange({ ...card, title })}
        input={{ maxLength: 255, dir: 'auto' }}
      />
      <TextField
        label={t.card.description}
        isOptional
        value={card.description}
        onInput={(description) => onChange({ ...card, description })}
        input={{ maxLength: 1_000, dir: 'auto' }}
      />
      <TextField
        label={t.card.image}
        isOptional
        value={card.image}
        placeholder="https://example.com/card.png"
        help={t.card.imageHelp}
        error={fault}
        onInput={(image) => onChange({ ...card, image })}
        input={{ type: 'url', inputMode: 'url', maxLength: 8_192 }}
      />
      {drawn !== null && <SocialCard card={drawn} address={address} />}
    </div>
  );
}
