// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active option
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the field handles the keys
// biome-ignore-all lint/a11y/useSemanticElements: a select cannot be filtered
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type CommandScope, commandsFor } from './commands.ts';

interface PaletteProps extends CommandScope {
  readonly close: () => void;
}

/** The command palette: a field, and the commands that match it. */
export function Palette({ close, ...scope }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const commands = commandsFor(text, scope);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useLayoutEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const run = (index: number) => {
    dialog.current?.close();
    commands[index]?.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen(Math.min(Math.max(chosen + step, 0), commands.length - 1));
    }
    if (event.key === 'Enter') run(chosen);
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Find" onClose={close}>
      <input
        role="combobox"
        aria-label="Find a screen, role, table, column or command"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={commands.length > 0 ? `command-${chosen}` : undefined}
        autocomplete="off"
        placeholder="Screen, role, table, column or command"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id="commands" role="listbox" aria-label="Commands">
        {commands.map(({ title }, index) => (
          <div
            key={title}
            id={`command-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => run(index)}
          >
            {title}
          </div>
        ))}
      </div>
      <p class="quiet" role="status">
        {commands.length === 0
          ? 'Nothing matches; write a part of a name.'
          : 'Arrow keys choose, Enter goes, Escape closes.'}
      </p>
    </dialog>
  );
}
