import { useEffect, useRef, useState } from 'preact/hooks';
import type { GetBrandingResult } from '../../src/client/client.ts';
import { type ErrorDetail, LinkfoldError } from '../../src/client/errors.ts';
import { readColour } from '../../src/qr/colours.ts';
import { tonesOf } from '../../src/qr/tones.ts';
import { brandedTexts, type PageLanguage } from '../../src/redirect/pages/texts/branded.ts';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { Select } from '../components/select.tsx';
import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';
import { notifyWithUndo } from '../data/undo.ts';
import { writesWait } from '../data/writes.ts';
import { whyNoTarget } from '../fields/name-dialog.tsx';
import { t as fieldTexts } from '../fields/texts.ts';
import { smallLogo } from '../qr/images.ts';
import { t as qrTexts } from '../qr/texts.ts';
import { locale } from '../texts/locale.ts';
import { t } from './texts.ts';

const none = { name: '', accent: '', logo: '', message: '', contact: '', expiredUrl: '' };
type Draft = typeof none;
type Name = keyof Draft;
type Faults = { readonly [N in Name]?: string | undefined };
const names = Object.keys(none) as Name[];

function draftOf(branding: GetBrandingResult): Draft {
  return Object.fromEntries(names.map((name) => [name, branding[name] ?? ''])) as Draft;
}

/** Converts the contact text to a URL, as the API requires. */
function contactOf(text: string): string {
  if (text === '' || text.includes(':')) return text;
  return (text.includes('@') ? 'mailto:' : 'https://') + text;
}

function faultsIn(error: unknown): Faults {
  if (!(error instanceof LinkfoldError)) return {};
  const said = (detail: ErrorDetail): string => {
    if (detail.field === 'accent') return qrTexts.qr.wrongColor;
    return detail.field === 'expiredUrl' ? whyNoTarget(detail) : detail.message;
  };
  return Object.fromEntries(error.details.map((detail) => [detail.field, said(detail)]));
}

function put(draft: Draft): Promise<GetBrandingResult> {
  const given = { ...draft, contact: contactOf(draft.contact.trim()) };
  return api.putBranding(Object.fromEntries(names.map((name) => [name, given[name].trim() || null])));
}

async function clear(): Promise<GetBrandingResult> {
  await api.deleteBranding();
  return api.getBranding();
}

/** Branding form state: input, errors, loading and saving. */
function useBranding() {
  const [draft, setDraft] = useState<Draft>();
  const [faults, setFaults] = useState<Faults>({});
  const [isBusy, setBusy] = useState(false);
  /** Branding last stored on the server. */
  const kept = useRef(none);
  const show = (branding: GetBrandingResult) => {
    kept.current = draftOf(branding);
    setDraft(kept.current);
    setFaults({});
  };
  const perform = async (work: () => Promise<GetBrandingResult>, notice?: string) => {
    const before = kept.current;
    setBusy(true);
    try {
      show(await work());
      if (notice !== undefined) notifyWithUndo(notice, t.undone, async () => show(await put(before)));
    } catch (error) {
      setFaults(faultsIn(error));
      showFailure(error);
    }
    setBusy(false);
  };
  useEffect(() => void perform(() => api.getBranding()), []);
  return { draft, setDraft, faults, setFaults, isBusy, perform };
}

/** Branding settings for the pages that visitors see if a link does not work, with a preview. */
export function Branding() {
  const text = t.branding;
  const { draft, setDraft, faults, setFaults, isBusy, perform } = useBranding();
  if (draft === undefined) return null;
  const field = (name: Name) => ({
    value: draft[name],
    error: faults[name],
    onInput: (value: string) => {
      setDraft({ ...draft, [name]: value });
      setFaults({ ...faults, [name]: undefined });
    },
  });
  const takeLogo = async (chosen: File) => {
    const logo = await smallLogo(chosen);
    setFaults({ ...faults, logo: logo === undefined ? qrTexts.qr.logoWrong : undefined });
    if (logo !== undefined) setDraft({ ...draft, logo });
  };
  const color = readColour(draft.accent.trim());
  return (
    <section id="branding" class="settings-group branding">
      <h2>{text.title}</h2>
      <p class="small soft">{text.about}</p>
      <div class="stack">
        <TextField label={t.settings.name} {...field('name')} />
        <TextField
          label={text.color}
          {...field('accent')}
          help={toneHint(color)}
          placeholder="#2f6f5e"
          state={
            <input
              type="color"
              aria-label={text.color}
              value={color ?? '#2f6f5e'}
              onInput={(event) => field('accent').onInput(event.currentTarget.value)}
            />
          }
        />
        <LogoField
          value={draft.logo}
          error={faults.logo}
          onChoose={takeLogo}
          onRemove={() => field('logo').onInput('')}
        />
        <TextField label={text.message} {...field('message')} help={text.messageHelp} isMultiline />
        <TextField label={text.contact} {...field('contact')} placeholder="mailto:hello@example.com" />
        <TextField
          label={fieldTexts.field.expiredUrl}
          {...field('expiredUrl')}
          help={fieldTexts.field.expiredHelp}
          placeholder="https://"
        />
        <div class="ways">
          <Button
            kind="primary"
            isBusy={isBusy}
            disabledReason={writesWait()}
            onClick={() => void perform(() => put(draft), text.saved)}
          >
            {t.save}
          </Button>
          <Button
            kind="quiet"
            disabledReason={writesWait()}
            onClick={() => void perform(clear, text.removed)}
          >
            {text.remove}
          </Button>
        </div>
      </div>
      <Picture {...draft} color={color} />
    </section>
  );
}

interface LogoProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChoose: (file: File) => Promise<void>;
  readonly onRemove: () => void;
}

function LogoField({ value, error, onChoose, onRemove }: LogoProps) {
  const file = useRef<HTMLInputElement>(null);
  return (
    <div class="field">
      <div class="head">
        <span class="name">{qrTexts.qr.logo}</span>
      </div>
      <input
        ref={file}
        type="file"
        hidden
        accept="image/*"
        onChange={({ currentTarget: { files } }) => {
          if (files?.[0] !== undefined) void onChoose(files[0]);
        }}
      />
      <div class="qr-logo">
        <Button size="small" onClick={() => file.current?.click()}>
          {value === '' ? qrTexts.qr.chooseLogo : qrTexts.qr.changeLogo}
        </Button>
        {value !== '' && (
          <Button kind="quiet" size="small" icon="close" label={qrTexts.qr.removeLogo} onClick={onRemove} />
        )}
      </div>
      {error !== undefined && <p class="error">{error}</p>}
      <p class="help">{t.branding.logoHelp}</p>
    </div>
  );
}

/** Explains how a color with too little contrast is adjusted. Returns undefined if no adjustment is needed. */
function toneHint(color: string | undefined): string | undefined {
  if (color === undefined) return undefined;
  const { onLight, onDark } = tonesOf(color);
  if (onLight !== color) return t.branding.onLight(onLight);
  return onDark === color ? undefined : t.branding.onDark(onDark);
}

/** Preview of the expired-link page and its button, in a selected visitor language and the dashboard's theme. */
function Picture({ name, logo, message, contact, color = '#2f6f5e' }: Draft & { color: string | undefined }) {
  const [language, setLanguage] = useState<PageLanguage>(locale.startsWith('de') ? 'de' : 'en');
  const texts = brandedTexts[language];
  const { onLight, onDark, onAccent } = tonesOf(color);
  const shown = contactOf(contact.trim()).replace(/^mailto:|^https:\/\/|\/.*/g, '');
  const [beforeContact, afterContact] = texts.contact.split('{contact}');
  return (
    <figure style={{ '--tone': `light-dark(${onLight}, ${onDark})` }}>
      <figcaption class="small soft">{t.branding.preview}</figcaption>
      <Select
        label={t.branding.language}
        value={language}
        options={(Object.keys(brandedTexts) as PageLanguage[]).map((value) => ({
          value,
          label: new Intl.DisplayNames([value], { type: 'language' }).of(value) ?? value,
        }))}
        onChange={setLanguage}
      />
      <div lang={language}>
        {logo !== '' ? <img src={logo} alt={name} /> : <b class="tone">{name || 'Linkfold'}</b>}
        <strong>{texts.expired.title}</strong>
        <p>{message.trim() || texts.expired.text}</p>
        {shown !== '' && (
          <p class="small">
            {beforeContact}
            <u class="tone">{shown}</u>
            {afterContact}
          </p>
        )}
      </div>
      <span class="go" lang={language} style={{ background: color, color: onAccent }}>
        {texts.continue}
      </span>
    </figure>
  );
}
