import type { ComponentType } from 'preact';
import { useCallback, useLayoutEffect, useState } from 'preact/hooks';
import type { Matrix, Session } from './api/answers.ts';
import { askServer } from './api/ask-server.ts';
import { Failure } from './shell/failure.tsx';
import { Header } from './shell/header.tsx';
import { Palette } from './shell/palette.tsx';
import { type Place, usePlace } from './shell/place.ts';
import { type ScreenName, type ScreenProps, screens } from './shell/screens.ts';
import { SignIn } from './shell/sign-in.tsx';
import { useTheme } from './shell/theme.ts';
import { Title } from './shell/title.tsx';
import { useAnswer } from './shell/use-answer.ts';

/** The whole console: the form for signing in, or the screen that the address names. */
export function App() {
  const [isSignedIn, setSignedIn] = useState(true);
  const theme = useTheme();
  const onSignedOut = useCallback(() => setSignedIn(false), []);
  if (!isSignedIn) return <SignIn onSignedIn={() => setSignedIn(true)} />;
  return <SignedIn theme={theme} onSignedOut={onSignedOut} />;
}

interface SignedInProps {
  readonly theme: ReturnType<typeof useTheme>;
  readonly onSignedOut: () => void;
}

/** Loads the matrix once, because every screen and the command palette need its names. */
function SignedIn({ theme, onSignedOut }: SignedInProps) {
  const [asked, retry] = useAnswer('', load, onSignedOut);
  if (asked.state === 'waiting') return <p class="waiting">Loading the rules…</p>;
  if (asked.state === 'failed') {
    return (
      <main class="alone">
        <h1>Rowgate console</h1>
        <Failure error={asked.error} retry={retry} />
      </main>
    );
  }
  const [session, matrix] = asked.answer;
  return <Screens {...{ session, matrix, theme, onSignedOut }} reload={retry} />;
}

async function load(): Promise<readonly [Session, Matrix]> {
  const session = await askServer<Session>('/console/session');
  return [session, await askServer<Matrix>('/admin/matrix', {})];
}

interface ScreensProps extends SignedInProps {
  readonly session: Session;
  readonly matrix: Matrix;
  readonly reload: () => void;
}

function Screens({ session, matrix, theme, onSignedOut, reload }: ScreensProps) {
  const [place, go] = usePlace();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [signOutError, setSignOutError] = useState<unknown>();
  useLayoutEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setPaletteOpen(true);
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);
  const title = screens.find(({ name }) => name === place.screen)?.title ?? 'Unknown screen';
  useLayoutEffect(() => {
    document.title = `${title} · Rowgate console`;
  }, [title]);
  const signOut = () => {
    setSignOutError(undefined);
    askServer('/console/sign-out', {}).then(onSignedOut, setSignOutError);
  };
  const openPalette = () => setPaletteOpen(true);
  return (
    <>
      <Header {...{ place, go, theme, session, signOut, openPalette }} />
      <main>
        {signOutError !== undefined && <Failure error={signOutError} retry={signOut} />}
        <Screen {...{ place, go, matrix, session, onSignedOut }} />
      </main>
      {isPaletteOpen && (
        <Palette
          {...{ matrix, session, go, theme, signOut, reload }}
          close={() => setPaletteOpen(false)}
        />
      )}
    </>
  );
}

/** Loads the component of a screen, with the packages that only this screen needs. */
const components: Readonly<Record<ScreenName, () => Promise<ComponentType<ScreenProps>>>> = {
  matrix: async () => (await import('./matrix/matrix-screen.tsx')).MatrixScreen,
  health: async () => (await import('./health/health-screen.tsx')).HealthScreen,
  application: async () => (await import('./application/application-screen.tsx')).ApplicationScreen,
  rule: async () => (await import('./rule/rule-screen.tsx')).RuleScreen,
  events: async () => (await import('./events/events-screen.tsx')).EventsScreen,
  explorer: async () => (await import('./explorer/explorer-screen.tsx')).ExplorerScreen,
  as: async () => (await import('./as/as-screen.tsx')).AsScreen,
};

function Screen(props: ScreenProps) {
  const { screen } = props.place;
  const known = screens.find(({ name }) => name === screen);
  if (!known) return <UnknownScreen place={props.place} />;
  return <LoadedScreen key={screen} {...props} name={known.name} />;
}

function LoadedScreen({ name, ...props }: ScreenProps & { readonly name: ScreenName }) {
  const [asked, retry] = useAnswer(name, components[name], props.onSignedOut);
  if (asked.state === 'waiting') return <p class="waiting">Loading the screen…</p>;
  if (asked.state === 'failed') return <Failure error={asked.error} retry={retry} />;
  const Loaded = asked.answer;
  return <Loaded {...props} />;
}

function UnknownScreen({ place }: { readonly place: Place }) {
  return (
    <div class="alone">
      <Title>Unknown screen</Title>
      <p>There is no screen “{place.screen}”. Choose one above.</p>
    </div>
  );
}
