import { useNavigate } from '@tanstack/react-router';
import { useId, useState, type KeyboardEvent } from 'react';
import { commonTexts } from '../texts/common.js';
import { Dialog } from '../ui/dialog.js';
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
  const [query, setQuery] = useState('');
  const [chosen, choose] = useState(0);
  const found = matching(commands, query);
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    if (command.to) void navigate({ to: command.to });
    else open(command.href, '_blank', 'noopener');
  };
  const search = (text: string) => {
    setQuery(text);
    choose(0);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (step === undefined) run(found[chosen]);
    else if (found.length > 0) choose((chosen + step + found.length) % found.length);
  };
  return (
    <Dialog title={commonTexts.goTo} onClose={onClose}>
      <div className="field">
        <input
          role="combobox"
          aria-label={commonTexts.goToLabel}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck="false"
          autoFocus
          value={query}
          onChange={({ target }) => search(target.value)}
          onKeyDown={press}
        />
      </div>
      <ul className="commands" role="listbox" id={`${id}-list`} aria-label={commonTexts.goTo}>
        {found.map((command, index) => (
          <li
            key={command.text}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => run(command)}
            onMouseMove={() => choose(index)}
          >
            <Icon name={command.icon} />
            {command.text}
          </li>
        ))}
      </ul>
      <p className="hint" role="status">
        {found.length === 0 && commonTexts.nothingFound}
      </p>
    </Dialog>
  );
}
