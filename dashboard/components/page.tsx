import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { t } from '../texts/texts.ts';

interface PageProps {
  readonly title: string;
  readonly about?: string;
  readonly total?: string | undefined;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Header and body of a screen with a table. */
export function Page({ title, about, total, actions, children }: PageProps) {
  useEffect(() => {
    document.title = t.title(title);
  }, [title]);
  return (
    <>
      <header class="page-head bounded">
        <div>
          <div class="title">
            <h1>{title}</h1>
            {total !== undefined && <span class="total">{total}</span>}
          </div>
          {about !== undefined && <p class="about">{about}</p>}
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      <div class="page">{children}</div>
    </>
  );
}
