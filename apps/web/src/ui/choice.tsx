import { useId } from 'react';
import { Icon, type IconName } from './icon.js';

export interface Option<V extends string> {
  readonly value: V;
  readonly text: string;
  /** The consequence of this choice. */
  readonly hint?: string;
  readonly icon?: IconName;
}

export interface ChoiceProps<V extends string> {
  readonly label: string;
  readonly options: readonly Option<V>[];
  readonly value: V;
  readonly onChange: (value: V) => void;
  /** `beside` each other for a few short options, `below` for those with consequences. */
  readonly form?: 'beside' | 'below';
}

/** One of a few options, all of which are seen. */
export function Choice<V extends string>({
  label,
  options,
  value,
  onChange,
  form = 'below',
}: ChoiceProps<V>) {
  const id = useId();
  return (
    <div role="radiogroup" aria-labelledby={id} className={`choice options-${form}`}>
      <span id={id} className="choice-label">
        {label}
      </span>
      <div className="options">
        {options.map(({ value: own, text, hint, icon }) => (
          <label key={own} className="option" data-selected={own === value || undefined}>
            <input type="radio" name={id} checked={own === value} onChange={() => onChange(own)} />
            {icon ? <Icon name={icon} /> : <span className="dot" aria-hidden="true" />}
            <span>
              <span className="option-text">{text}</span>
              {hint && <span className="hint">{hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </div>
  );
}
