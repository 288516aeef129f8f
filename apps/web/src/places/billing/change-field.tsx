import { useId } from 'react';
import { billingTexts as texts } from '../../texts/billing.js';
import { autofocus, Field } from '../../ui/field.js';
import { limitText } from './amounts-section.js';
import { countMax, type ChangedItem } from './change-of.js';
import type { Subscription } from './use-billing.js';

interface Props {
  readonly subscription: Subscription;
  readonly item: ChangedItem;
  readonly value: string;
  readonly isWrong: boolean;
  readonly onChange: (value: string) => void;
}

/** The name of a plan, or a count. */
export function ChangeField({ item, ...props }: Props) {
  if (item !== 'plan') return <CountField item={item} {...props} />;
  return (
    <Field
      label={texts.planName}
      hint={texts.planHint}
      value={props.value}
      onChange={props.onChange}
      autoComplete="off"
      maxLength={40}
      autoFocus
    />
  );
}

interface CountProps extends Omit<Props, 'item'> {
  readonly item: Exclude<ChangedItem, 'plan'>;
}

/** The control of the system for numbers, which phones show with digits. */
function CountField({ subscription, item, value, isWrong, onChange }: CountProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{texts.counts[item]}</label>
      <span className="hint" id={`${id}-hint`}>
        {hintOf(subscription, item)}
      </span>
      <input
        id={id}
        type="number"
        inputMode="numeric"
        min={0}
        max={countMax[item]}
        step={1}
        value={value}
        aria-describedby={isWrong ? `${id}-hint ${id}-problem` : `${id}-hint`}
        aria-invalid={isWrong}
        ref={autofocus}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => onChange(target.value)}
      />
      {isWrong && (
        <span className="field-problem" id={`${id}-problem`}>
          {texts.wrongCount(countMax[item])}
        </span>
      )}
    </div>
  );
}

function hintOf(subscription: Subscription, item: CountProps['item']): string {
  if (item === 'seats') return texts.seatsHint(subscription.allowance.seats - subscription.seats);
  return texts.blocksHint(limitText(subscription, item));
}
