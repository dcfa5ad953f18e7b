import type { ComponentType } from 'preact';
import { ReadOnlyNote } from '../shell/act-button.tsx';
import { Link } from '../shell/link.tsx';
import type { ScreenProps } from '../shell/screens.ts';
import { Title } from '../shell/title.tsx';
import { Deliveries } from './deliveries.tsx';
import { Mails } from './mails.tsx';
import { Schedules } from './schedules.tsx';
import { TriggersView } from './triggers-view.tsx';

interface Part {
  readonly name: string;
  readonly title: string;
  readonly View: ComponentType<ScreenProps>;
}

const first: Part = { name: 'triggers', title: 'Triggers', View: TriggersView };
const parts: readonly Part[] = [
  first,
  { name: 'deliveries', title: 'Deliveries', View: Deliveries },
  { name: 'schedules', title: 'Schedules', View: Schedules },
  { name: 'mails', title: 'Mails', View: Mails },
];

/** The work of the delivery workers: events, schedules and mails. */
export function EventsScreen(props: ScreenProps) {
  const { place, go, session } = props;
  const { name, View } = parts.find((part) => part.name === place.values.part) ?? first;
  return (
    <>
      <Title>Events, schedules and mails</Title>
      <nav class="parts" aria-label="Parts of this screen">
        {parts.map((part) => (
          <Link
            key={part.name}
            place={{ screen: 'events', values: { part: part.name } }}
            go={go}
            isCurrent={part.name === name}
          >
            {part.title}
          </Link>
        ))}
      </nav>
      <ReadOnlyNote session={session} />
      <View key={name} {...props} />
    </>
  );
}
