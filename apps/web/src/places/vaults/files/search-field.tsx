import { startTransition, useEffect, useState } from 'react';
import { filesTexts as texts } from '../../../texts/files.js';
import { Field } from '../../../ui/field.js';

/** Each search is a call, and the API counts them. */
const PAUSE_MS = 250;
/** Of a name in vaults. */
const NAME_MAX = 255;

/**
 * Searches once the person has paused; an emptied field shows the folder again at once. A letter renders the field alone, and the list
 * follows when the letter is seen.
 */
export function SearchField({ onSearch }: { readonly onSearch: (text: string) => void }) {
  const [typed, setTyped] = useState('');
  useEffect(() => {
    const pause = typed === '' ? 0 : PAUSE_MS;
    const timer = setTimeout(() => startTransition(() => onSearch(typed)), pause);
    return () => clearTimeout(timer);
  }, [typed, onSearch]);
  return (
    <Field
      label={texts.search}
      type="search"
      value={typed}
      onChange={setTyped}
      autoComplete="off"
      maxLength={NAME_MAX}
    />
  );
}
