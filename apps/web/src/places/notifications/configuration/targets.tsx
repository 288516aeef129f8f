import { useState } from 'react';
import { channelTexts } from '../../../texts/notifications.js';
import { notifyConfigTexts as texts } from '../../../texts/notify-config.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialog.js';
import { KeptKey } from '../../../ui/kept-key.js';
import { List, Row } from '../../../ui/list.js';
import { NewSecretDialog, RemoveTargetDialog, TargetDialog, type Target } from './target-dialogs.js';
import type { Config } from './use-config-change.js';

type Task = { readonly type: 'set' | 'remove' | 'secret'; readonly target: Target };

const targets: readonly Target[] = ['webhook', 'slack', 'teams'];

/** The endpoints of channels that belong to the organization. */
export function Targets({ config }: { readonly config: Config }) {
  const [task, setTask] = useState<Task>();
  const [secret, setSecret] = useState<string>();
  const close = () => setTask(undefined);
  const urlOf = (target: Target) => config.targets?.[target]?.url;
  return (
    <section className="card stack">
      <h2>{texts.targets}</h2>
      <p className="hint">{texts.targetsHint}</p>
      <List label={texts.targets} items={targets} keyOf={(target) => target}>
        {(target) => (
          <TargetItem target={target} url={urlOf(target)} onTask={(type) => setTask({ type, target })} />
        )}
      </List>
      {task?.type === 'set' && <TargetDialog target={task.target} onSecret={setSecret} onClose={close} />}
      {task?.type === 'remove' && <RemoveTargetDialog target={task.target} onClose={close} />}
      {task?.type === 'secret' && (
        <NewSecretDialog url={urlOf('webhook') ?? ''} onSecret={setSecret} onClose={close} />
      )}
      {secret !== undefined && task === undefined && (
        <Dialog title={texts.secretTitle}>
          <p>{texts.secretText}</p>
          <KeptKey
            label={texts.secret}
            value={secret}
            sheet={{ text: texts.secretSheet(secret), name: texts.secretFile }}
            onKept={() => setSecret(undefined)}
          />
        </Dialog>
      )}
    </section>
  );
}

interface ItemProps {
  readonly target: Target;
  readonly url: string | undefined;
  readonly onTask: (type: Task['type']) => void;
}

function TargetItem({ target, url, onTask }: ItemProps) {
  const name = channelTexts[target];
  if (url === undefined)
    return (
      <Row
        title={name}
        details={texts.noTarget}
        actions={
          <Button kind="quiet" label={texts.setOf(name)} onPress={() => onTask('set')}>
            {texts.set}
          </Button>
        }
      />
    );
  return (
    <Row
      title={name}
      details={<bdi dir="ltr">{url}</bdi>}
      actions={
        <>
          <Button kind="quiet" label={texts.changeOf(name)} onPress={() => onTask('set')}>
            {texts.change}
          </Button>
          {target === 'webhook' && (
            <Button kind="quiet" label={texts.newSecretOf} onPress={() => onTask('secret')}>
              {texts.newSecret}
            </Button>
          )}
          <Button kind="quiet" label={texts.removeOf(name)} onPress={() => onTask('remove')}>
            {texts.remove}
          </Button>
        </>
      }
    />
  );
}
