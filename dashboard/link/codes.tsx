import { useEffect, useState } from 'preact/hooks';
import type { ListAliasesResult } from '../../src/client/client.ts';
import { closeDialog, dialogAddress, go } from '../browser/location.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { Failure } from '../components/states.tsx';
import { api } from '../data/client.ts';
import { domainOf } from '../data/domains.ts';
import { showFailure } from '../data/explain.ts';
import { codeIn, findLink } from '../data/links/find.ts';
import { beforeCode, type Link, shortHost } from '../data/links/links.ts';
import { linksChanged } from '../data/links/list.ts';
import { pageOf, referenceOf, shortBaseAt } from '../data/links/references.ts';
import { notify } from '../data/undo.ts';
import { writesWait } from '../data/writes.ts';
import { errorFor, whyRefused } from '../fields/code-field.tsx';
import { codeFault } from '../fields/codes.ts';
import { DomainField } from '../fields/domain-field.tsx';
import { t } from './texts.ts';

type Alias = ListAliasesResult[number];
type Codes = Pick<Link, 'id' | 'shortCode' | 'shortUrl'> & { readonly aliases: readonly Alias[] };

/**
 * Dialog for a link's codes: add an alias, make an alias the main code, or remove an alias.
 * @param code reference to the link, from the URL
 */
export function CodesDialog({ code }: { readonly code: string }) {
  const [codes, setCodes] = useState<Codes>();
  const [error, setError] = useState<unknown>();
  const read = async () => {
    try {
      const { id, shortCode, shortUrl } = await findLink(code);
      setCodes({ id, shortCode, shortUrl, aliases: await api.listAliases(id) });
      setError(undefined);
    } catch (failure) {
      setError(failure);
    }
  };
  useEffect(() => {
    // Hide the codes until they are reloaded, because the loaded codes still show the previous main code.
    setCodes(undefined);
    void read();
  }, [code]);
  return (
    <Dialog title={t.codes.title(codeIn(code))} width="36rem" onClose={() => void closeDialog()}>
      <div class="stack shares">
        <p class="soft">{t.codes.about}</p>
        {error !== undefined && <Failure title={t.codes.failed} error={error} onRetry={() => void read()} />}
        {codes !== undefined && error === undefined && (
          <>
            <AddCode codes={codes} onAdded={() => void read()} />
            <CodeList codes={codes} onChanged={() => void read()} />
          </>
        )}
      </div>
    </Dialog>
  );
}

function AddCode({ codes, onAdded }: { readonly codes: Codes; readonly onAdded: () => void }) {
  const [text, setText] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [host, setHost] = useState(() => hostOf(codes.shortUrl));
  const fault = codeFault(text, domainOf(host)?.codes === 'exact');
  const add = async () => {
    const customCode = text.trim();
    if (customCode === '' || fault !== undefined || isBusy) return;
    setBusy(true);
    try {
      await api.addAlias(codes.id, { customCode, domain: host });
      setText('');
      notify(t.codes.added(customCode));
      onAdded();
    } catch (failure) {
      setRefusal(whyRefused(failure, customCode));
    }
    setBusy(false);
  };
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <DomainField value={host} onChange={setHost} />
      <TextField
        label={t.codes.another}
        prefix={shortHost(shortBaseAt(host))}
        value={text}
        onInput={(value) => {
          setText(value);
          setRefusal(undefined);
        }}
        error={errorFor(fault, undefined, text.trim(), host) ?? refusal}
        input={{ maxLength: 190, autocapitalize: 'off' }}
      />
      <div>
        <Button kind="primary" type="submit" isBusy={isBusy} disabledReason={writesWait()}>
          {t.codes.add}
        </Button>
      </div>
    </form>
  );
}

function CodeList({ codes, onChanged }: { readonly codes: Codes; readonly onChanged: () => void }) {
  const { id, shortUrl, aliases } = codes;
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (failure) {
      showFailure(failure);
    }
  };
  const change = async (alias: Alias) => {
    await api.changeCode(id, { customCode: alias.code, domain: hostOf(alias.shortUrl) });
    linksChanged();
    const now = { shortCode: alias.code, shortUrl: alias.shortUrl };
    const dialog = dialogAddress('codes', referenceOf(now));
    // If the link's page is open, the browser's URL contains the code and must change.
    const isHere = location.pathname === pageOf(codes);
    const { search } = new URL(dialog, location.href);
    go(isHere ? pageOf(now) + search : dialog, { replace: true });
  };
  const remove = async (alias: Alias) => {
    await api.removeAlias(alias.code, { domain: hostOf(alias.shortUrl) });
    notify(t.codes.removed(alias.code));
    onChanged();
  };
  return (
    <section aria-label={t.codes.listed}>
      <h3>{t.codes.listed}</h3>
      <ul class="share-list">
        <li>
          <span>
            <span class="mono">{shown(codes)}</span> <span class="soft">· {t.codes.own}</span>
          </span>
          <CopyButton size="small" text={() => shortUrl} />
        </li>
        {aliases.map((alias) => (
          <li key={alias.shortUrl}>
            <span class="mono">{shown({ shortCode: alias.code, shortUrl: alias.shortUrl })}</span>
            <span class="code-tools">
              <CopyButton size="small" text={() => alias.shortUrl} />
              <Button
                size="small"
                disabledReason={writesWait()}
                onClick={() => void attempt(() => change(alias))}
              >
                {t.codes.use}
              </Button>
              <Button
                size="small"
                disabledReason={writesWait()}
                onClick={() => void attempt(() => remove(alias))}
              >
                {t.codes.remove}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {aliases.length === 0 && <p class="small soft">{t.codes.none}</p>}
    </section>
  );
}

function hostOf(shortUrl: string): string {
  return new URL(shortUrl).hostname;
}

/** Returns a code, preceded by its host if there are several domains. */
function shown({ shortCode, shortUrl }: Pick<Codes, 'shortCode' | 'shortUrl'>): string {
  return (beforeCode(shortUrl) + shortCode).replace(/^\//, '');
}
