const pattern = /^(?:yyyy|yy|MM|M|dd|d|HH|mm|[^A-Za-z])+$/;
const fields = /yyyy|yy|MM|M|dd|d|HH|mm/g;

/**
 * Returns a function that formats times (ms since the epoch) by a pattern such as `yyyy-MM-dd`: years (`yyyy`, `yy`),
 * months (`MM`, `M`), days (`dd`, `d`), hours (`HH`) and minutes (`mm`).
 * @returns undefined if the pattern contains other letters
 */
export function createDateFormatter(text: string): ((at: number, zone: string) => string) | undefined {
  if (!pattern.test(text)) return undefined;
  return (at, zone) => {
    const { year, month, day, hour, minute } =
      Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
    const values: Readonly<Record<string, number>> = { y: year, M: month, d: day, H: hour, m: minute };
    return text.replace(fields, (field) => {
      const value = String(values[field.charAt(0)]);
      return field === 'yy' ? value.slice(-2) : value.padStart(field.length, '0');
    });
  };
}
