// What settings of any program are made of: readers of texts, and the complaint when a text is none.

export function fail(expected: string): never {
  throw new Error(expected);
}

export function wholeNumber(min: number, max: number) {
  return (text: string) => {
    const value = Number(text);
    const good = /^\d+$/.test(text) && value >= min && value <= max;
    return good ? value : fail(`must be a whole number from ${min} to ${max}`);
  };
}

export function oneOf<const W extends readonly string[]>(...words: W) {
  return (text: string): W[number] =>
    words.includes(text) ? text : fail(`must be one of ${words.join(', ')}`);
}

export function flag(text: string): boolean {
  return oneOf('0', '1')(text) === '1';
}

export function list(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

export function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
