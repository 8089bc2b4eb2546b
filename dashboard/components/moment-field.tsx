import { type FieldProps, TextField } from './field.tsx';

interface MomentFieldProps extends Omit<FieldProps, 'id' | 'children'> {
  /** ISO 8601 in UTC. Null if no time is set. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  readonly onLeave?: (() => void) | undefined;
  readonly isFirst?: boolean;
}

/** Date and time field in the user's time zone, with the browser's own control. */
export function MomentField({ value, onChange, onLeave, isFirst, ...field }: MomentFieldProps) {
  return (
    <TextField
      {...field}
      {...(onLeave !== undefined && { onLeave })}
      value={value === null ? '' : toLocalField(value)}
      onInput={(text) => {
        const moment = new Date(text);
        onChange(Number.isNaN(moment.getTime()) ? null : moment.toISOString());
      }}
      input={{ type: 'datetime-local', autofocus: isFirst ?? false }}
    />
  );
}

/** Formats a time for a `datetime-local` input in the user's time zone, such as `2026-11-28T23:59`. */
function toLocalField(iso: string): string {
  const date = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
