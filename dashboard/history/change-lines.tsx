import type { ChangeLine } from './words.ts';

/** List of changed fields with previous and new values. */
export function ChangeLines({ lines }: { readonly lines: readonly ChangeLine[] }) {
  return (
    <dl class="time-line-changes small">
      {lines.map(({ field, from, to }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd dir="auto">
            {from !== undefined && (
              <>
                <del>{from}</del>
                <span class="soft" aria-hidden="true">
                  {' → '}
                </span>
              </>
            )}
            <ins>{to}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
