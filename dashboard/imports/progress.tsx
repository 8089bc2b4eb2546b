import { percent } from '../texts/format.ts';

export function Progress({ share, label }: { readonly share: number; readonly label: string }) {
  return (
    <div class="import-progress">
      <progress max={1} value={share} aria-label={label} />
      <span class="small soft">
        {label} · {percent(share)}
      </span>
    </div>
  );
}
