import type { Matrix, Session } from '../api/answers.ts';
import { dayAgo } from './days.ts';
import type { Place } from './place.ts';
import { screensFor } from './screens.ts';
import { type Theme, themes } from './theme.ts';

/** A command of the palette. */
export interface Command {
  readonly title: string;
  run(): void;
}

export interface CommandScope {
  readonly matrix: Matrix;
  readonly session: Session;
  readonly go: (place: Place) => void;
  readonly theme: readonly [Theme, (theme: Theme) => void];
  readonly signOut: () => void;
  readonly reload: () => void;
}

const maxCommands = 50;

/** Returns the commands whose titles contain all words of the text, in any order. Columns are many, so they come last. */
export function commandsFor(text: string, scope: CommandScope): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found: Command[] = [];
  for (const command of allCommands(scope)) {
    const title = command.title.toLowerCase();
    if (words.every((word) => title.includes(word))) found.push(command);
    if (found.length === maxCommands) break;
  }
  return found;
}

function* allCommands({
  matrix,
  session,
  go,
  theme,
  signOut,
  reload,
}: CommandScope): Iterable<Command> {
  const show = (title: string, values: Place['values']) => ({
    title,
    run: () => go({ screen: 'matrix', values }),
  });
  for (const { name, title } of screensFor(session)) {
    yield { title: `Go to ${title}`, run: () => go({ screen: name, values: {} }) };
  }
  const events = (title: string, values: Place['values']) => ({
    title,
    run: () => go({ screen: 'events', values }),
  });
  yield events('Events given up yesterday', { part: 'deliveries', state: 'dead', ...dayAgo(1) });
  yield events('Deliveries of events', { part: 'deliveries' });
  yield events('Schedules', { part: 'schedules' });
  yield events('Mails', { part: 'mails' });
  for (const { name, title } of session.sections) {
    const place = { screen: 'application', values: { section: name } };
    yield { title: `Go to ${title} of the application`, run: () => go(place) };
  }
  yield { title: 'Load the rules again', run: reload };
  for (const one of themes) yield { title: `Theme: ${one}`, run: () => theme[1](one) };
  yield { title: 'Sign out', run: signOut };
  for (const { name } of matrix.roles) yield show(`Role ${name}`, { role: name });
  for (const { name: role } of matrix.roles) {
    yield { title: `Explore as ${role}`, run: () => go({ screen: 'explorer', values: { role } }) };
    yield {
      title: `Look at the data as ${role}`,
      run: () => go({ screen: 'as', values: { role } }),
    };
  }
  for (const { key } of matrix.tables) yield show(`Table ${key}`, { table: key });
  for (const { key, columns } of matrix.tables) {
    for (const column of columns) {
      yield show(`Who can use ${key}.${column}?`, { column: `${key}.${column}` });
    }
  }
}
