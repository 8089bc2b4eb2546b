import { useEffect, useState } from 'preact/hooks';
import { t } from '../browser/texts.ts';
import { readGolinks, storeGolinks } from '../data/golinks.ts';
import { Field } from '../parts/field.tsx';

/** Setting for the golinks domain that the address bar keyword `go` opens. */
export function Golinks() {
  const [typed, setTyped] = useState('');
  const [state, setState] = useState<'saved' | 'wrong'>();
  const read = () => readGolinks().then((base = '') => setTyped(base));
  useEffect(() => void read(), []);
  return (
    <form
      class="stack"
      onSubmit={async (event) => {
        event.preventDefault();
        const isSaved = await storeGolinks(typed);
        setState(isSaved ? 'saved' : 'wrong');
        if (isSaved) await read();
      }}
    >
      <h2>{t('golinks')}</h2>
      <Field
        label={t('golinksDomain')}
        value={typed}
        onInput={(text) => {
          setTyped(text);
          setState(undefined);
        }}
        help={t('golinksHelp')}
        error={state === 'wrong' ? t('badGolinks') : undefined}
      />
      <div>
        <button type="submit" class="button second">
          {t('save')}
        </button>{' '}
        <span role="status">{state === 'saved' && t('saved')}</span>
      </div>
    </form>
  );
}
