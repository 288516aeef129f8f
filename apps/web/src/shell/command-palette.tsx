import { useNavigate } from '@tanstack/react-router';
import { useEffect, useId, useState, type KeyboardEvent } from 'react';
import { commonTexts } from '../texts/common.js';
import { Dialog } from '../ui/dialog.js';
import { autofocus } from '../ui/field.js';
import { Icon } from '../ui/icon.js';
import { matching, type Command } from './commands.js';

export interface PaletteProps {
  readonly commands: readonly Command[];
  readonly onClose: () => void;
}

/** Places and actions by their names (ARIA: a combobox with a listbox). Arrows choose, Enter goes. */
export function CommandPalette({ commands, onClose }: PaletteProps) {
  const id = useId();
  const navigate = useNavigate();
  const { query, found, chosen, search, choose, step } = useSearch(commands);
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    if (command.to) void navigate({ to: command.to });
    else open(command.href, '_blank', 'noopener');
  };
  const press = (event: KeyboardEvent) => {
    const by = steps[event.key];
    if (by === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (by === undefined) run(found[chosen]);
    else step(by);
  };
  return (
    <Dialog title={commonTexts.goTo} onClose={onClose}>
      <div className="field">
        <input
          role="combobox"
          aria-label={commonTexts.goToLabel}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={found.length > 0 ? optionId(id, chosen) : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck="false"
          ref={autofocus}
          value={query}
          onChange={({ target }) => search(target.value)}
          onKeyDown={press}
        />
        <p className="hint" role="status">
          {found.length === 0 && commonTexts.nothingFound}
        </p>
      </div>
      <Options id={id} found={found} chosen={chosen} onChoose={choose} onRun={run} />
    </Dialog>
  );
}

/** What the query finds, of which one is chosen: at first the first. */
function useSearch(commands: readonly Command[]) {
  const [query, setQuery] = useState('');
  const [chosen, choose] = useState(0);
  const found = matching(commands, query);
  const search = (text: string) => {
    setQuery(text);
    choose(0);
  };
  const step = (by: number) => {
    if (found.length > 0) choose((chosen + by + found.length) % found.length);
  };
  return { query, found, chosen, search, choose, step };
}

const steps: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
const optionId = (id: string, index: number) => `${id}-${index}`;

interface OptionsProps {
  readonly id: string;
  readonly found: readonly Command[];
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
  readonly onRun: (command: Command) => void;
}

/** The commands; the focus stays in the field, so the chosen one is scrolled to. */
function Options({ id, found, chosen, onChoose, onRun }: OptionsProps) {
  useEffect(() => {
    document.getElementById(optionId(id, chosen))?.scrollIntoView({ block: 'nearest' });
  }, [id, chosen]);
  return (
    <ul className="commands" role="listbox" id={id} aria-label={commonTexts.goTo}>
      {found.map((command, index) => (
        <li
          key={command.text}
          id={optionId(id, index)}
          role="option"
          aria-selected={index === chosen}
          onClick={() => onRun(command)}
          onMouseMove={() => onChoose(index)}
        >
          <Icon name={command.icon} />
          {command.text}
        </li>
      ))}
    </ul>
  );
}
