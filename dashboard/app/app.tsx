import { useEffect } from 'preact/hooks';
import lazy, { ErrorBoundary } from 'preact-iso/lazy';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { address, follow } from '../browser/location.ts';
import { onSight } from '../browser/sight.ts';
import { Failure } from '../components/states.tsx';
import { loadGroups } from '../data/groups.ts';
import { begin } from '../data/session.ts';
import { session } from '../data/session-state.ts';
import { Links } from '../links/links.tsx';
import { SignIn } from '../sign-in/sign-in.tsx';
import { t } from '../texts/texts.ts';
import { Dialogs } from './dialogs.tsx';
import { NotFound, Shell } from './shell.tsx';

const Home = lazy(() => import('../home/home.tsx').then((module) => module.Home));
const LinkPage = lazy(() => import('../link/link.tsx').then((module) => module.LinkPage));
const Statistics = lazy(() => import('../statistics/page.tsx').then((module) => module.StatisticsPage));
const Folders = lazy(() => import('../folders/folders.tsx').then((module) => module.Folders));
const Tags = lazy(() => import('../tags/tags.tsx').then((module) => module.Tags));
const Bin = lazy(() => import('../bin/bin.tsx').then((module) => module.Bin));
const Keys = lazy(() => import('../keys/keys.tsx').then((module) => module.Keys));
const Settings = lazy(() => import('../settings/settings.tsx').then((module) => module.Settings));
const SharedPage = lazy(() => import('../shares/page.tsx').then((module) => module.SharedPage));
const First = lazy(() => import('../sign-in/first.tsx').then((module) => module.First));

export function App() {
  return (
    <LocationProvider scope="/dashboard">
      <Follow />
      {address.peek().pathname.startsWith('/dashboard/shared/') ? (
        <ErrorBoundary>
          <SharedPage />
        </ErrorBoundary>
      ) : (
        <Own />
      )}
    </LocationProvider>
  );
}

/** What is for those that are signed in. */
function Own() {
  useEffect(() => {
    void begin();
  }, []);
  return <Content />;
}

/** Gives the address to what is no component. */
function Follow() {
  const { url, route } = useLocation();
  follow(url, route);
  return null;
}

function Content() {
  switch (session.value) {
    case 'asking':
      return null;
    case 'none':
      return <SignIn />;
    case 'unreachable':
      return (
        <Failure title={t.signIn.unreachable} error={t.errors.unreachable} onRetry={() => void begin()} />
      );
    case 'here':
    case 'gone':
      return address.value.pathname === '/dashboard/first' ? (
        <Router>
          <Route path="/dashboard/first" component={First} />
          <Route default component={NotFound} />
        </Router>
      ) : (
        <Signed />
      );
  }
}

function Signed() {
  useEffect(() => {
    void loadGroups();
    return onSight(() => void loadGroups());
  }, []);
  return (
    <>
      <Shell>
        <Router>
          <Route path="/dashboard" component={Home} />
          <Route path="/dashboard/links" component={Links} />
          <Route path="/dashboard/links/:code" component={LinkPage} />
          <Route path="/dashboard/statistics" component={Statistics} />
          <Route path="/dashboard/folders" component={Folders} />
          <Route path="/dashboard/tags" component={Tags} />
          <Route path="/dashboard/bin" component={Bin} />
          <Route path="/dashboard/keys" component={Keys} />
          <Route path="/dashboard/settings" component={Settings} />
          <Route default component={NotFound} />
        </Router>
      </Shell>
      <Dialogs />
      {session.value === 'gone' && <SignIn isOver />}
    </>
  );
}
