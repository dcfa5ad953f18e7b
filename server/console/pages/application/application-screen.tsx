import { useEffect, useRef, useState } from 'preact/hooks';
import { askServer } from '../api/ask-server.ts';
import { Failure } from '../shell/failure.tsx';
import { Link } from '../shell/link.tsx';
import type { ScreenProps } from '../shell/screens.ts';
import { Title } from '../shell/title.tsx';
import { useAnswer } from '../shell/use-answer.ts';
import type { List, Row, Section, Sections } from './answers.ts';
import { ListView } from './list-view.tsx';

/** The sections that the application has registered. The address names the section, the list and its filter. */
export function ApplicationScreen(props: ScreenProps) {
  const [asked, retry] = useAnswer(
    'sections',
    () => askServer<Sections>('/console/sections'),
    props.onSignedOut,
  );
  return (
    <>
      <Title>Application</Title>
      {asked.state === 'waiting' && <p class="waiting">Loading the sections…</p>}
      {asked.state === 'failed' && <Failure error={asked.error} retry={retry} />}
      {asked.state === 'answered' && <SectionsView {...props} sections={asked.answer} />}
    </>
  );
}

/** The row to which a list belongs. It is no part of the address, because its values can be personal data. */
interface Parent {
  readonly list: string;
  readonly row: Row;
}

function SectionsView({ sections, ...props }: ScreenProps & { readonly sections: Sections }) {
  const { place, go } = props;
  const [parent, setParent] = useState<Parent>();
  // At first the title of the screen has the focus.
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
  }, []);
  const section = sections.find(({ name }) => name === place.values.section) ?? sections[0];
  if (!section) {
    return (
      <p role="status">
        No application has registered sections. The key <code>application</code> of rowgate.yaml
        names an application.
      </p>
    );
  }
  const named = section.lists.find(({ name }) => name === place.values.list);
  // Without its row, for example after a reload, a list leads to the list of the rows.
  const isLost = named?.of !== undefined && named.of !== parent?.list;
  const list = (isLost ? undefined : named) ?? section.lists[0];
  const show = (name: string, row?: Row) => {
    setParent(row && list && { list: list.name, row });
    go({ screen: 'application', values: { section: section.name, list: name } });
  };
  return (
    <>
      <nav class="sections" aria-label="Sections">
        {sections.map((one) => (
          <SectionLink key={one.name} {...{ one, section, go }} />
        ))}
      </nav>
      <Lists {...{ section, list, go }} />
      {list && (
        <ListView
          key={`${section.name}/${list.name}/${list.of && parent?.row.key}`}
          {...{ section: section.name, list, props, show }}
          takesFocus={isShown.current}
          of={list.of === undefined ? undefined : parent?.row}
          lists={section.lists.filter((one) => one.of === list.name)}
        />
      )}
    </>
  );
}

interface SectionLinkProps extends Pick<ScreenProps, 'go'> {
  readonly one: Section;
  readonly section: Section;
}

function SectionLink({ one, section, go }: SectionLinkProps) {
  const place = { screen: 'application', values: { section: one.name } };
  return (
    <Link place={place} go={go} isCurrent={one === section}>
      {one.title}
    </Link>
  );
}

interface ListsProps extends Pick<ScreenProps, 'go'> {
  readonly section: Section;
  readonly list: List | undefined;
}

/** The lists of a section that belong to no row, if there are several. */
function Lists({ section, list, go }: ListsProps) {
  const lists = section.lists.filter(({ of }) => of === undefined);
  if (lists.length < 2) return null;
  return (
    <nav class="sections" aria-label={`Lists of ${section.title}`}>
      {lists.map((one) => (
        <Link
          key={one.name}
          place={{ screen: 'application', values: { section: section.name, list: one.name } }}
          go={go}
          isCurrent={one === list}
        >
          {one.title}
        </Link>
      ))}
    </nav>
  );
}
