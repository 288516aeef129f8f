import { useRef } from 'react';
import { composeTexts as texts, delayTexts } from '../../../texts/notify-compose.js';
import { durationText } from '../../../texts/common.js';
import { channelTexts } from '../../../texts/notifications.js';
import { Button } from '../../../ui/button.js';
import { Select } from '../../../ui/select.js';
import type { Channel, Step } from './step.js';

interface Props {
  readonly steps: readonly Step[];
  /** Channels that can deliver. */
  readonly configured: readonly Channel[];
  readonly onChange: (steps: readonly Step[]) => void;
  /** Whether only the order of channels is chosen. */
  readonly hasNoWaits?: boolean;
}

/** Channels in their order, each with the wait since the one before. */
export function StepsField({ steps, configured, onChange, hasNoWaits = false }: Props) {
  const group = useRef<HTMLDivElement>(null);
  const used = new Set(steps.map(({ channel }) => channel));
  const [next] = configured.filter((channel) => !used.has(channel));
  const change = (index: number, part: Partial<Step>) =>
    onChange(steps.map((step, at) => (at === index ? { ...step, ...part } : step)));
  const remove = (index: number) => {
    onChange(steps.filter((_, at) => at !== index));
    // The button that had the focus is gone.
    group.current?.querySelector('select')?.focus();
  };
  return (
    <div className="stack" ref={group}>
      {steps.map((step, index) => (
        <StepFields
          key={step.channel}
          step={step}
          place={index + 1}
          offered={offeredTo(step.channel, configured, used)}
          hasWait={index > 0 && !hasNoWaits}
          onChange={(part) => change(index, part)}
          onRemove={index > 0 ? () => remove(index) : undefined}
        />
      ))}
      {next && (
        <div className="actions">
          <Button kind="quiet" onPress={() => onChange([...steps, { channel: next, after: '3600' }])}>
            {texts.addStep}
          </Button>
        </div>
      )}
    </div>
  );
}

interface StepProps {
  readonly step: Step;
  /** From 1. */
  readonly place: number;
  readonly offered: readonly Channel[];
  readonly hasWait: boolean;
  readonly onChange: (part: Partial<Step>) => void;
  /** Undefined for the first one, which stays. */
  readonly onRemove: (() => void) | undefined;
}

function StepFields({ step, place, offered, hasWait, onChange, onRemove }: StepProps) {
  return (
    <div className="stack tight">
      {hasWait && (
        <Select
          label={texts.after(place)}
          options={delayOptions(step.after)}
          value={step.after}
          onChange={(after) => onChange({ after })}
        />
      )}
      <Select
        label={place === 1 ? texts.first : texts.later(place)}
        options={offered.map((value) => ({ value, text: channelTexts[value] }))}
        value={step.channel}
        onChange={(channel) => onChange({ channel })}
      />
      {onRemove && (
        <div className="actions">
          <Button kind="quiet" onPress={onRemove}>
            {texts.removeStep(place)}
          </Button>
        </div>
      )}
    </div>
  );
}

/** A channel has one step; the one that is chosen stays, though it may be unconfigured by now. */
function offeredTo(own: Channel, configured: readonly Channel[], used: ReadonlySet<Channel>) {
  const others = configured.filter((channel) => channel !== own && !used.has(channel));
  return [own, ...others];
}

function delayOptions(own: string) {
  const known = Object.entries(delayTexts).map(([value, text]) => ({ value, text }));
  return own in delayTexts ? known : [...known, { value: own, text: delayText(own) }];
}

/** A wait that this page does not offer, in the unit that fits. */
export function delayText(seconds: string): string {
  return delayTexts[seconds] ?? durationText(Number(seconds));
}
