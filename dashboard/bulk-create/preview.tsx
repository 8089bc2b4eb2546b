import { Ledger } from '../components/ledger.tsx';
import { shortDestination } from '../data/links/links.ts';
import { list } from '../texts/format.ts';
import type { Pasted } from './lines.ts';
import { t } from './texts.ts';

const mostShown = 4;
const parts = ['url', 'code', 'title', 'domain', 'folder', 'tags', 'expires', 'utm'] as const;

/** Returns true if the column is hidden on phones. */
const isWide = (part: string): boolean => part !== 'url' && part !== 'code';

/** Preview of the first lines and the detected columns. */
export function Preview({ pasted }: { readonly pasted: Pasted }) {
  const { lines, columns, unused } = pasted;
  const cells = lines.map(({ tags, utm, ...line }) => ({
    ...{ ...line, url: shortDestination(line.url), tags: tags.join(', ') },
    utm: Object.values(utm).join(' · '),
  }));
  const shown = parts.filter((part) => part === 'url' || cells.some((cell) => cell[part] !== ''));
  const named = columns.map(([name, field]) =>
    t.bulkCreate.columnIs(name, t.bulkCreate.parts[field] ?? field),
  );
  return (
    <div class="bulk-create-summary">
      <p class="small soft">
        {columns.length === 0 ? t.bulkCreate.noHead : t.bulkCreate.columns(list(named))}
        {unused.length > 0 && ` ${t.bulkCreate.unused(list(unused))}`}
      </p>
      <Ledger
        class="bulk-create-preview"
        columns={shown.map((part) => ({
          name: t.bulkCreate.parts[part] ?? part,
          ...(isWide(part) && { class: 'wide' }),
        }))}
      >
        {cells.slice(0, mostShown).map((cell) => (
          <tr key={cell.number}>
            {shown.map((part) => (
              <td key={part} class={isWide(part) ? 'cut wide' : 'cut'} title={cell[part]}>
                {cell[part] || (part === 'code' ? <span class="soft">{t.bulkCreate.drawn}</span> : '')}
              </td>
            ))}
          </tr>
        ))}
      </Ledger>
      {lines.length > mostShown && <p class="small soft">{t.bulkCreate.further(lines.length - mostShown)}</p>}
    </div>
  );
}
