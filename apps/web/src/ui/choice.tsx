import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
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
  return (
    <RadioGroup
      className={`choice options-${form}`}
      value={value}
      onChange={(chosen) => onChange(chosen as V)}
      orientation={form === 'beside' ? 'horizontal' : 'vertical'}
    >
      <Label>{label}</Label>
      <div className="options">
        {options.map(({ value: own, text, hint, icon }) => (
          <Radio key={own} value={own} className="option">
            {icon ? <Icon name={icon} /> : <span className="dot" aria-hidden="true" />}
            <span>
              <span className="option-text">{text}</span>
              {hint && <span className="hint">{hint}</span>}
            </span>
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
