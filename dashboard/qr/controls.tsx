import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { maxMargin, shapes, transparent } from '../../src/qr/code.ts';
import { readColour } from '../../src/qr/colours.ts';
import { Button } from '../components/button.tsx';
import { Check, Segmented } from '../components/choices.tsx';
import { number } from '../texts/format.ts';
import { readLogo } from './images.ts';
import {
  isDrawable,
  largestPixels,
  maxLogoPercent,
  pixelsOf,
  readingCentimetres,
  type Style,
  smallestPixels,
} from './style.ts';
import { t } from './texts.ts';

interface ControlsProps {
  readonly style: Style;
  readonly caption: string;
  readonly onChange: (changes: Partial<Style>) => void;
}

const colors = { ink: '#1d1b18', green: '#1f4d41', blue: '#1f3a78', red: '#7d2a1f' } as const;
const grounds = { white: '#ffffff', paper: '#fbfaf8', sand: '#f0e7d5', none: transparent } as const;

export function Controls({ style, caption, onChange }: ControlsProps) {
  const { qr } = t;
  return (
    <div class="qr-controls">
      <Group title={qr.color}>
        <Colors
          label={qr.codeColor}
          value={style.color}
          presets={colors}
          names={qr.colors}
          onChange={(color) => onChange({ color })}
        />
        <Colors
          label={qr.ground}
          value={style.background}
          presets={grounds}
          names={qr.grounds}
          onChange={(background) => onChange({ background })}
        />
      </Group>
      <Group title={qr.style}>
        <Segmented
          label={qr.style}
          options={shapes.map((value) => ({ value, label: qr.shapes[value] }))}
          value={style.shape}
          onChange={(shape) => onChange({ shape })}
        />
        <Check isSwitch isOn={style.hasFrame} onChange={(hasFrame) => onChange({ hasFrame })}>
          {qr.frame}
        </Check>
      </Group>
      <LogoControl style={style} onChange={onChange} />
      <Group title={qr.margin}>
        <Slider
          label={qr.quietZone}
          text={qr.modules(style.margin)}
          value={style.margin}
          min={0}
          max={Math.min(10, maxMargin)}
          onChange={(margin) => onChange({ margin })}
        />
      </Group>
      <SizeControl style={style} onChange={onChange} />
      <Group title={qr.caption}>
        <Check isSwitch isOn={style.hasCaption} onChange={(hasCaption) => onChange({ hasCaption })}>
          {caption}
        </Check>
      </Group>
    </div>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}

interface ColorsProps<N extends string> {
  readonly label: string;
  readonly value: string;
  readonly presets: Readonly<Record<N, string>>;
  readonly names: Readonly<Record<N, string>>;
  readonly onChange: (colour: string) => void;
}

function Colors<N extends string>({ label, value, presets, names, onChange }: ColorsProps<N>) {
  const group = useId();
  const [typed, setTyped] = useState<string>();
  const isWrong = typed !== undefined && readColour(typed) === undefined;
  return (
    <div class="qr-colors" role="group" aria-label={label}>
      <span class="small soft">{label}</span>
      {(Object.keys(presets) as N[]).map((name) => (
        <label key={name} class="swatch-choice" title={names[name]}>
          <input
            type="radio"
            name={group}
            aria-label={names[name]}
            checked={value === presets[name]}
            onChange={() => {
              setTyped(undefined);
              onChange(presets[name]);
            }}
          />
          {presets[name] === transparent ? (
            <i class="see-through" />
          ) : (
            <i style={{ background: presets[name] }} />
          )}
        </label>
      ))}
      <span class="input">
        <input
          type="text"
          class="mono"
          aria-label={label}
          aria-invalid={isWrong ? true : undefined}
          autocomplete="off"
          spellcheck={false}
          value={typed ?? readColour(value) ?? ''}
          onInput={(event) => {
            const text = event.currentTarget.value;
            setTyped(text);
            const colour = readColour(text.trim());
            if (colour !== undefined) onChange(colour);
          }}
          onBlur={() => {
            if (!isWrong) setTyped(undefined);
          }}
        />
      </span>
      {isWrong && (
        <p class="error" role="alert">
          {t.qr.wrongColor}
        </p>
      )}
    </div>
  );
}

function LogoControl({ style, onChange }: Omit<ControlsProps, 'caption'>) {
  const { qr } = t;
  const file = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const { logo } = style;
  const take = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    const read = await readLogo(chosen);
    setProblem(read === 'large' ? qr.logoLarge : read === 'wrong' ? qr.logoWrong : undefined);
    if (typeof read !== 'string') onChange({ logo: { href: read.href, name: chosen.name } });
  };
  return (
    <Group title={qr.logo}>
      <input
        ref={file}
        type="file"
        hidden
        accept="image/png,image/jpeg,image/svg+xml,image/webp"
        aria-label={qr.chooseLogo}
        onChange={(event) => void take(event.currentTarget.files?.[0])}
      />
      <div class="qr-logo">
        {logo !== undefined && (
          <>
            <img src={logo.href} alt="" width="38" height="38" />
            <span class="qr-logo-name">
              <span class="cut">{logo.name}</span>
              <span class="soft">{qr.logoHelp}</span>
            </span>
          </>
        )}
        <Button size="small" onClick={() => file.current?.click()}>
          {logo === undefined ? qr.chooseLogo : qr.changeLogo}
        </Button>
        {logo !== undefined && (
          <Button
            kind="quiet"
            size="small"
            icon="close"
            label={qr.removeLogo}
            onClick={() => onChange({ logo: undefined })}
          />
        )}
      </div>
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      {logo !== undefined && (
        <Slider
          label={qr.logoSize}
          text={qr.ofSide(style.logoPercent)}
          value={style.logoPercent}
          min={10}
          max={maxLogoPercent}
          onChange={(logoPercent) => onChange({ logoPercent })}
        />
      )}
    </Group>
  );
}

interface SliderProps {
  readonly label: string;
  readonly text: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly onChange: (value: number) => void;
}

function Slider({ label, text, value, min, max, onChange }: SliderProps) {
  return (
    <label class="slider">
      <span>{label}</span>
      <span class="soft">{text}</span>
      <input
        type="range"
        min={min}
        max={max}
        value={value}
        aria-valuetext={text}
        onInput={(event) => onChange(Number(event.currentTarget.value))}
      />
    </label>
  );
}

function SizeControl({ style, onChange }: Omit<ControlsProps, 'caption'>) {
  const { qr } = t;
  const pixels = pixelsOf(style);
  return (
    <Group title={qr.size}>
      <Segmented
        label={qr.size}
        options={[
          { value: 'print', label: qr.print },
          { value: 'screen', label: qr.screen },
        ]}
        value={style.isForPrint ? 'print' : 'screen'}
        onChange={(value) => onChange({ isForPrint: value === 'print' })}
      />
      <div class="qr-sizes">
        {style.isForPrint ? (
          <>
            <NumberField
              label={qr.side}
              unit="mm"
              value={style.millimetres}
              onChange={(millimetres) => onChange({ millimetres })}
            />
            <NumberField
              label={qr.resolution}
              unit="dpi"
              value={style.dpi}
              onChange={(dpi) => onChange({ dpi })}
            />
          </>
        ) : (
          <NumberField
            label={qr.pixels}
            unit="px"
            value={style.pixels}
            min={smallestPixels}
            max={largestPixels}
            onChange={(changed) => onChange({ pixels: changed })}
          />
        )}
      </div>
      <p class={isDrawable(pixels) ? 'small soft' : 'error'}>
        {isDrawable(pixels) ? qr.pngOf(pixels) : qr.sizeWrong}{' '}
        {style.isForPrint && isDrawable(pixels) && qr.readFrom(readingCentimetres(style))}
      </p>
    </Group>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly unit: string;
  readonly value: number;
  readonly min?: number;
  readonly max?: number;
  readonly onChange: (value: number) => void;
}

function NumberField({ label, unit, value, min = 1, max = 9_999, onChange }: NumberFieldProps) {
  return (
    <label class="field">
      <span class="label">{label}</span>
      <span class="input">
        <input
          type="number"
          inputmode="numeric"
          min={min}
          max={max}
          value={value}
          aria-label={`${label}, ${unit}, ${number(min)}–${number(max)}`}
          onInput={(event) => {
            const { valueAsNumber } = event.currentTarget;
            if (Number.isFinite(valueAsNumber) && valueAsNumber > 0) onChange(Math.round(valueAsNumber));
          }}
        />
        <span class="soft">{unit}</span>
      </span>
    </label>
  );
}
