import { base, openDialog, query } from '../browser/location.ts';
import { Button } from '../components/button.tsx';
import { Page } from '../components/page.tsx';
import { Empty, ScreenSkeleton } from '../components/states.tsx';
import { domainOf, domains } from '../data/domains.ts';
import { shortHost } from '../data/links/links.ts';
import { useNear } from '../data/links/near.ts';
import { writesWait } from '../data/writes.ts';
import { Destination } from '../fields/destination.tsx';
import { t } from './texts.ts';

const maxNear = 5;

/**
 * Page for an unknown code on a golinks domain, with a form to create the link and a list of links with similar codes.
 */
export function GolinkPage() {
  const host = query.value.get('domain') ?? '';
  const code = query.value.get('name') ?? '';
  const domain = domainOf(host);
  if (domains.value === undefined) return <ScreenSkeleton />;
  if (domain === undefined || code === '')
    return (
      <Empty
        isScreen
        title={t.golink.notYours}
        ways={
          <Button kind="primary" href={`${base}/links`}>
            {t.places.links}
          </Button>
        }
      />
    );
  const name = `${domain.hostUnicode}/${code}`;
  return (
    <Page title={t.golink.title(name)} about={t.golink.about}>
      <p>
        <Button
          kind="primary"
          icon="plus"
          disabledReason={writesWait()}
          onClick={() => openDialog('new', '', { domain: host, code })}
        >
          {t.golink.create}
        </Button>
      </p>
      <Near key={code} code={code} />
    </Page>
  );
}

function Near({ code }: { readonly code: string }) {
  const links = useNear(code).slice(0, maxNear);
  if (links.length === 0) return null;
  return (
    <section class="golinks-near" aria-labelledby="near">
      <h2 id="near">{t.golink.near}</h2>
      <ul>
        {links.map((link) => (
          <li key={link.id}>
            <a href={link.shortUrl}>
              {shortHost(link.shortUrl)}
              <b>{link.shortCode}</b>
            </a>{' '}
            <span dir="auto">{link.title}</span>
            <span class="soft cut block" title={link.destinationUrl}>
              <Destination link={link} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
