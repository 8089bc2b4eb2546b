import { useEffect } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { address, base, follow } from '../browser/location.ts';
import { onSight } from '../browser/sight.ts';
import { preload } from '../components/lazy.tsx';
import { Failure, ScreenSkeleton } from '../components/states.tsx';
import { loadGroups } from '../data/groups.ts';
import { session, signingInAgain } from '../data/session-state.ts';
import { t as dataTexts } from '../data/texts.ts';
import { noteVisit } from '../data/visit.ts';
import { begin } from '../sign-in/session.ts';
import { SignIn } from '../sign-in/sign-in.tsx';
import { Again, Dialogs, KeysOfDialogs } from './dialogs.tsx';
import { Notices } from './notices.tsx';
import { ComeBack, First, Join, OfferedLink, SharedPage, screens } from './screens.tsx';
import { NotFound, Shell } from './shell.tsx';
import { t } from './texts.ts';

export function App() {
  const Alone = standsAlone(address.peek().pathname);
  return (
    <LocationProvider scope="/dashboard">
      <Follow />
      {Alone !== undefined ? (
        <>
          <Notices />
          <Alone />
        </>
      ) : (
        <Own />
      )}
    </LocationProvider>
  );
}

/** Returns the page for a path that works without a session. Returns undefined for all other paths. */
function standsAlone(path: string): typeof SharedPage | undefined {
  if (path.startsWith('/dashboard/shared/')) return SharedPage;
  if (path === '/dashboard/oidc') return ComeBack;
  return path === '/dashboard/join' ? Join : undefined;
}

/** Loads the session, then shows the dashboard or the sign-in page. */
function Own() {
  useEffect(() => {
    void begin();
  }, []);
  return <Content />;
}

/** Makes the router's location available to code outside components. */
function Follow() {
  const { url, route } = useLocation();
  follow(url, route);
  return null;
}

function Content() {
  switch (session.value) {
    case 'asking':
      return (
        <Shell>
          <ScreenSkeleton />
        </Shell>
      );
    case 'offered':
      return <OfferedLink />;
    case 'none':
      return <SignIn />;
    case 'unreachable':
      return (
        <Failure
          isScreen
          title={t.shell.unreachable}
          error={dataTexts.errors.unreachable}
          onRetry={() => void begin()}
        />
      );
    case 'here':
    case 'gone':
      return address.value.pathname === '/dashboard/first' ? (
        <>
          <Notices />
          <First />
        </>
      ) : (
        <Signed />
      );
  }
}

function Signed() {
  useEffect(() => {
    void loadGroups();
    noteVisit();
    preload();
    return onSight(() => void loadGroups());
  }, []);
  return (
    <>
      <KeysOfDialogs />
      <Shell>
        <Router>
          {Object.entries(screens).map(([path, Screen]) => (
            <Route key={path} path={base + path} component={Screen} />
          ))}
          <Route default component={NotFound} />
        </Router>
      </Shell>
      <Dialogs />
      {session.value === 'gone' && <SignIn isOver />}
      {signingInAgain.value !== undefined && <Again />}
    </>
  );
}
