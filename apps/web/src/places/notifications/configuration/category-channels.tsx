import { useState } from 'react';
import { channelTexts } from '../../../texts/notifications.js';
import { notifyConfigTexts as texts } from '../../../texts/notify-config.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog, FormDialog } from '../../../ui/dialog.js';
import { Field } from '../../../ui/field.js';
import { List, Row } from '../../../ui/list.js';
import { toast } from '../../../ui/toast.js';
import type { Channel, Step } from '../shared/step.js';
import { StepsField } from '../shared/steps-field.js';
import { useConfigChange, type Config } from './use-config-change.js';

interface Entry {
  readonly category: string;
  readonly channels: readonly Channel[];
}

type Task = { readonly type: 'add' } | { readonly type: 'change' | 'remove'; readonly entry: Entry };

function entriesOf({ channel_priority: lists = {} }: Config): readonly Entry[] {
  return Object.entries(lists).map(([category, channels]) => ({ category, channels: channels as Channel[] }));
}

/** Categories with channels of their own. */
export function CategoryChannels({ config }: { readonly config: Config }) {
  const [task, setTask] = useState<Task>();
  const entries = entriesOf(config);
  const close = () => setTask(undefined);
  return (
    <section className="card stack">
      <h2>{texts.categories}</h2>
      <p className="hint">{entries.length === 0 ? texts.noCategories : texts.categoriesHint}</p>
      {entries.length > 0 && (
        <List label={texts.categories} items={entries} keyOf={({ category }) => category}>
          {(entry) => <CategoryRow entry={entry} onTask={(type) => setTask({ type, entry })} />}
        </List>
      )}
      <div className="actions">
        <Button kind="quiet" onPress={() => setTask({ type: 'add' })}>
          {texts.addCategory}
        </Button>
      </div>
      {task?.type === 'add' && <CategoryDialog config={config} onClose={close} />}
      {task?.type === 'change' && <CategoryDialog config={config} entry={task.entry} onClose={close} />}
      {task?.type === 'remove' && <RemoveDialog category={task.entry.category} onClose={close} />}
    </section>
  );
}

interface RowProps {
  readonly entry: Entry;
  readonly onTask: (type: 'change' | 'remove') => void;
}

function CategoryRow({ entry: { category, channels }, onTask }: RowProps) {
  return (
    <Row
      title={<bdi>{category}</bdi>}
      details={channels.map((channel) => channelTexts[channel]).join(', ')}
      actions={
        <>
          <Button kind="quiet" label={texts.changeOf(category)} onPress={() => onTask('change')}>
            {texts.change}
          </Button>
          <Button kind="quiet" label={texts.removeOf(category)} onPress={() => onTask('remove')}>
            {texts.remove}
          </Button>
        </>
      }
    />
  );
}

interface DialogProps {
  readonly config: Config;
  /** Absent for a new one. */
  readonly entry?: Entry;
  readonly onClose: () => void;
}

function CategoryDialog({ config, entry, onClose }: DialogProps) {
  const store = useConfigChange();
  const [category, setCategory] = useState(entry?.category ?? '');
  const [steps, setSteps] = useState<readonly Step[]>(() =>
    (entry?.channels ?? ['email' as const]).map((channel) => ({ channel, after: '0' })),
  );
  const act = async () => {
    await store({ channel_priority: { [category.trim()]: steps.map(({ channel }) => channel) } });
    toast(texts.saved);
  };
  return (
    <FormDialog
      title={entry ? texts.changeOf(entry.category) : texts.addCategory}
      submit={texts.save}
      isDisabled={category.trim() === ''}
      act={act}
      onClose={onClose}
    >
      {!entry && (
        <Field
          label={texts.category}
          value={category}
          onChange={setCategory}
          autoComplete="off"
          maxLength={64}
          autoFocus
        />
      )}
      <StepsField
        steps={steps}
        configured={config.configured_channels as Channel[]}
        onChange={setSteps}
        hasNoWaits
      />
    </FormDialog>
  );
}

function RemoveDialog({ category, onClose }: { readonly category: string; readonly onClose: () => void }) {
  const store = useConfigChange();
  const act = async () => {
    await store({ channel_priority: { [category]: null } });
    toast(texts.saved);
  };
  return (
    <ConfirmDialog
      title={texts.removeTitle}
      text={texts.removeText}
      confirm={texts.remove}
      act={act}
      onClose={onClose}
    />
  );
}
