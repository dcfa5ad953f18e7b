import type { Session } from '../api/answers.ts';
import { Link } from './link.tsx';
import type { Go, Place } from './place.ts';
import { screensFor } from './screens.ts';
import { type Theme, themes } from './theme.ts';

interface HeaderProps {
  readonly place: Place;
  readonly go: Go;
  readonly theme: readonly [Theme, (theme: Theme) => void];
  readonly session: Session;
  readonly signOut: () => void;
  readonly openPalette: () => void;
}

/** The navigation, the command palette's button, the theme, and who is signed in. */
export function Header({ place, go, theme, session, signOut, openPalette }: HeaderProps) {
  const [chosen, choose] = theme;
  return (
    <header class="top">
      <span class="brand">Rowgate</span>
      <nav aria-label="Screens">
        {screensFor(session).map(({ name, title }) => (
          <Link
            key={name}
            place={{ screen: name, values: {} }}
            go={go}
            isCurrent={name === place.screen}
          >
            {title}
          </Link>
        ))}
      </nav>
      <div class="tools">
        <button type="button" class="search" onClick={openPalette}>
          Find… <kbd>Ctrl K</kbd>
        </button>
        <label class="theme">
          <span class="hidden">Theme</span>
          <select
            value={chosen}
            onChange={({ currentTarget }) => choose(currentTarget.value as Theme)}
          >
            {themes.map((one) => (
              <option key={one} value={one}>
                {one === 'system' ? 'system theme' : one}
              </option>
            ))}
          </select>
        </label>
        <span class="actor">{session.actor}</span>
        <button type="button" onClick={signOut}>
          Sign out
        </button>
      </div>
    </header>
  );
}
