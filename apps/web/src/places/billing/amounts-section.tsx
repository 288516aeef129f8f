import { useId } from 'react';
import { billingTexts as texts } from '../../texts/billing.js';
import { commonTexts } from '../../texts/common.js';
import { Button } from '../../ui/button.js';
import { bytesText } from '../../ui/format.js';
import { List, Row } from '../../ui/list.js';
import { useUsedSeats, type Subscription } from './use-billing.js';

type Item = 'seats' | 'storage_blocks' | 'bandwidth_blocks';

const items: readonly Item[] = ['seats', 'storage_blocks', 'bandwidth_blocks'];

interface Props {
  readonly subscription: Subscription;
  /** Absent where they cannot be changed. */
  readonly onChange: ((item: Item) => void) | undefined;
}

/** Seats, storage and bandwidth, and how many of them were bought. */
export function AmountsSection({ subscription, onChange }: Props) {
  const id = useId();
  const used = useUsedSeats();
  return (
    <section className="stack" aria-labelledby={id}>
      <h2 id={id}>{texts.amounts}</h2>
      <List label={texts.amounts} items={items} keyOf={(item) => item}>
        {(item) => (
          <Row
            title={`${texts.items[item]}: ${limitText(subscription, item, used)}`}
            details={boughtText(subscription[item], item)}
            actions={
              onChange && (
                <Button
                  kind="quiet"
                  label={commonTexts.actionOn(texts.change, texts.items[item])}
                  onPress={() => onChange(item)}
                >
                  {texts.change}
                </Button>
              )
            }
          />
        )}
      </List>
    </section>
  );
}

/** The limit of an item, in the unit that people know. */
export function limitText(
  { allowance }: Pick<Subscription, 'allowance'>,
  item: Item | 'plan',
  used?: number,
): string {
  if (item === 'storage_blocks') return bytesText(allowance.storage_bytes);
  if (item === 'bandwidth_blocks') return texts.perCycle(bytesText(allowance.bandwidth_bytes));
  return texts.seatsOf(allowance.seats, used);
}

function boughtText(count: number, item: Item): string {
  if (count === 0) return texts.ofPlan;
  return item === 'seats' ? texts.bought(count) : texts.ofBlocks(count);
}
