import { type IconName, icons } from './icons.ts';

/** Decorative icon next to text or in a labeled button. Hidden from screen readers. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width={name === 'more' ? 2.5 : 1.75}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={icons[name]} />
    </svg>
  );
}

/** Linkfold's logo: two folded strips that form a link. */
export function Mark({ size = 16 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
      <path d="M2 1h9l4 4v5h-4V5H1V2a1 1 0 0 1 1-1Z" />
      <path d="M14 15H5l-4-4V6h4v5h10v3a1 1 0 0 1-1 1Z" />
    </svg>
  );
}
